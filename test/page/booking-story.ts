// A day of bookings about now, as a ledger tells it: the worked example of Appendix B among others, some of it late,
// passed over, stalled, refused, superseded.
import type { Event, LapseKind } from '#expectations';
import {
  dispatchAcknowledged,
  dispatchAttempted,
  dispatchFailed,
  expectationLapsed,
  expectationReanchored,
  expectationRecorded,
  expectationRefused,
  expectationSatisfied,
  expectationSuspended,
  expectationWithdrawn,
  factRecorded,
} from '#testing';

/** An id that would be markup where it is not set as text. */
export const markup = '<img src=x onerror=alert(1)>';

const now = Date.now();
const minutes = (count: number): string => new Date(now + count * 60_000).toISOString();

interface Step {
  readonly id: string;
  readonly subject: string;
  readonly expects: string;
  readonly kind: string;
  readonly due: number;
  readonly basis?: string;
  readonly grace?: string;
  readonly anchor?: string;
  readonly horizon?: number;
  readonly after?: readonly string[];
}

function step({ id, subject, expects, kind, due, basis = 'observed', grace, anchor, horizon, after }: Step): Event {
  return expectationRecorded({
    expectationId: id,
    at: minutes(-1_500),
    taskId: `task-${subject}`,
    dueAt: minutes(due),
    content: {
      kind,
      expects,
      basis,
      subject: { type: 'shipment', id: subject },
      satisfiedBy: { factKey: `${kind}:${subject}` },
      ...(grace !== undefined && { grace }),
      ...(anchor !== undefined && { anchor: { expectationId: anchor, offset: 'PT1H45M' } }),
      ...(horizon !== undefined && { horizon: minutes(horizon) }),
      ...(after !== undefined && { after }),
    },
  });
}

function lapse(
  id: string,
  subject: string,
  expects: string,
  kind: string,
  lapse: LapseKind,
  at: number,
  due: number,
): Event {
  const block = {
    kind,
    expects,
    lapse,
    subject: { type: 'shipment', id: subject },
    dueAt: minutes(due),
    projectedDueAt: minutes(due),
  };
  return expectationLapsed({ expectationId: id, at: minutes(at), taskId: `task-${subject}`, block });
}

let factNumber = 0;
function happened(id: string, subject: string, kind: string, at: number, late = false): Event[] {
  factNumber += 1;
  const source = 'carrier-feed:emirates';
  return [
    factRecorded({
      at: minutes(at),
      factNumber,
      reporter: source,
      subjects: [{ type: 'shipment', id: subject }],
      fact: { factKey: `${kind}:${subject}` },
    }),
    expectationSatisfied({
      expectationId: id,
      at: minutes(at),
      source,
      late,
      factNumber,
      factKey: `${kind}:${subject}`,
    }),
  ];
}

export function bookingStory(): Event[][] {
  const one = 'PA-2026-0901';
  const two = 'PA-2026-0902';
  const three = 'PA-2026-0903';
  return [
    [
      step({
        id: 'manifest-1',
        subject: one,
        kind: 'shipment.manifest',
        expects: `the airline manifest for ${one}`,
        due: -420,
        grace: 'PT2H',
      }),
      step({
        id: 'depart-1',
        subject: one,
        kind: 'shipment.departure',
        expects: 'a departure event for EK203',
        due: -240,
        grace: 'PT1H',
        after: ['manifest-1'],
      }),
      step({
        id: 'arrive-1',
        subject: one,
        kind: 'shipment.arrival',
        expects: 'an arrival event at DOH',
        due: -130,
        grace: 'PT1H',
        anchor: 'depart-1',
        horizon: 900,
        after: ['depart-1'],
      }),
      step({
        id: 'release-1',
        subject: one,
        kind: 'shipment.customs',
        expects: `customs release for ${one}`,
        due: 45,
        grace: 'PT4H',
        anchor: 'hand-over-1',
        basis: 'contract',
      }),
    ],
    [
      step({
        id: 'depart-2',
        subject: two,
        kind: 'shipment.departure',
        expects: 'a departure event for QR1031',
        due: -95,
        grace: 'PT30M',
        basis: 'contract',
      }),
      step({
        id: 'arrive-2',
        subject: two,
        kind: 'shipment.arrival',
        expects: 'an arrival event at FRA',
        due: 240,
        grace: 'PT6H',
        anchor: 'depart-2',
      }),
      step({
        id: 'release-2',
        subject: two,
        kind: 'shipment.customs',
        expects: `customs release for ${two}`,
        due: 20,
        grace: 'PT1H',
      }),
    ],
    [
      step({
        id: 'pickup-3',
        subject: three,
        kind: 'shipment.pickup',
        expects: `${three} is picked up at the shipper`,
        due: 8,
        grace: 'PT15M',
        basis: 'declared',
      }),
      step({
        id: 'depart-3',
        subject: three,
        kind: 'shipment.departure',
        expects: 'a departure event for LH8401',
        due: 310,
        grace: 'PT2H',
        after: ['pickup-3'],
      }),
      step({
        id: 'depart-3-old',
        subject: three,
        kind: 'shipment.departure',
        expects: 'a departure event for LH8399',
        due: 190,
      }),
      expectationWithdrawn({
        expectationId: 'depart-3-old',
        at: minutes(-60),
        withdrawn: 'superseded',
        supersededBy: 'depart-3',
        reason: 'moved to a later flight',
      }),
      step({
        id: 'odd',
        subject: markup,
        kind: 'shipment.manifest',
        expects: `the manifest of ${markup}`.replace('manifest', 'packing list'),
        due: 400,
      }),
    ],
    [expectationRefused({ expectationId: 'depart-9', at: minutes(-400) })],
    happened('depart-1', one, 'shipment.departure', -265),
    [
      lapse('manifest-1', one, `the airline manifest for ${one}`, 'shipment.manifest', 'skipped', -265, -420),
      expectationReanchored({
        expectationId: 'arrive-1',
        at: minutes(-265),
        dueAt: minutes(-160),
        anchorId: 'depart-1',
      }),
    ],
    [dispatchAttempted({ expectationId: 'manifest-1', lapse: 'skipped' })],
    [dispatchAcknowledged({ expectationId: 'manifest-1', lapse: 'skipped', taskId: 'lapse-7f3a' })],
    happened('arrive-1', one, 'shipment.arrival', -150, true),
    [
      lapse('depart-2', two, 'a departure event for QR1031', 'shipment.departure', 'overdue', -64, -95),
      expectationSuspended({ expectationId: 'arrive-2', at: minutes(-64), behind: 'depart-2' }),
    ],
    [
      dispatchFailed({
        expectationId: 'depart-2',
        at: minutes(-60),
        outcome: 'parked',
        cause: 'status 403',
        attempt: 3,
      }),
    ],
  ];
}

/** One more lapse, for those who watch. */
bookingStory.laterLapse = (): Event[][] => [
  [lapse('release-2', 'PA-2026-0902', 'customs release for PA-2026-0902', 'shipment.customs', 'overdue', 1, 20)],
];

/** A fact that nothing waited for. */
bookingStory.laterFact = (): Event[][] => [
  [
    factRecorded({
      at: minutes(1),
      factNumber: (factNumber += 1),
      subjects: [{ type: 'shipment', id: 'PA-2026-0901' }],
      fact: { factKey: 'shipment.weighed:PA-2026-0901' },
    }),
  ],
];
