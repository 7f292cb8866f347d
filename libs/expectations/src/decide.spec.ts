// The three ways to lapse, suspension and the watcher’s time: each does it, refuses it, or stays quiet.
import {
  cardRead,
  configured,
  dispatchVoided,
  expectationLapsed,
  expectationReanchored,
  expectationRecorded,
  expectationSatisfied,
  expectationSuspended,
  expectationWithdrawn,
  factRecorded,
  folded,
  given,
  raising,
  reporting,
  t,
  tick,
} from '#testing';
import { decide } from './decide.ts';

const e1 = expectationRecorded();
const later = { factKey: 'arrived:S1' };
/** The next step: anchored to the first, and after it. */
const e2 = expectationRecorded({
  expectationId: 'e2',
  projectedDueAt: t(120),
  content: {
    kind: 'shipment.arrival',
    expects: 'S1 arrives',
    satisfiedBy: later,
    anchor: { expectationId: 'e1', offset: 'PT1M' },
    after: ['e1'],
  },
});
const departed = factRecorded();
const arrived = factRecorded({ factNumber: 1, fact: later });
const satisfied = expectationSatisfied({ factKey: 'departed:S1', factNumber: 1 });
const overdue = expectationLapsed();

describe('overdue', () => {
  it('is what is open when due and grace have passed, and what hangs from it is suspended', () => {
    given(e1, e2)
      .when(tick(t(61)))
      .then(overdue, expectationSuspended({ at: t(61), expectationId: 'e2', behind: 'e1' }));
  });

  it('is said once', () => {
    given(e1, overdue)
      .when(tick(t(9_000)))
      .then();
  });

  it('is nothing that was satisfied or withdrawn', () => {
    given(e1, departed, satisfied)
      .when(tick(t(61)))
      .then();
    given(e1, expectationWithdrawn())
      .when(tick(t(61)))
      .then();
  });

  it('is found by any input, before the input is applied', () => {
    const seen = factRecorded({ at: t(61) });
    const late = { ...satisfied, at: t(61), satisfiedAt: t(61), observedAt: t(61), late: true, reportedLate: true };
    given(e1)
      .when(reporting(seen))
      .then(overdue, seen, late, dispatchVoided({ at: t(61) }));
  });

  it('is marked and not to be submitted where the agent keeps its own time', () => {
    given({ ...cardRead, params: { ...(cardRead.params as object), keepsTime: true } }, e1)
      .when(tick(t(61)))
      .then({ ...overdue, selfTimed: true });
  });
});

describe('skipped', () => {
  const revealed = expectationSatisfied({ expectationId: 'e2', factKey: 'arrived:S1', factNumber: 1 });
  const skipped = expectationLapsed({
    at: t(30),
    block: { lapse: 'skipped', lastFactAt: t(30), satisfiedAfter: ['e2'] },
  });

  it('is what is open when a later step was satisfied, at once', () => {
    given(e1, e2).when(reporting(arrived)).then(arrived, revealed, skipped);
  });

  it('is nothing that the same report satisfies, in whatever order it lists them', () => {
    const first = factRecorded({ factNumber: 1, index: 1, observedAt: t(20) });
    const second = factRecorded({ factNumber: 2, index: 0, observedAt: t(25), fact: later });
    given(e1, e2)
      .when({ ...reporting(second), facts: [second.fact, first.fact] })
      .then(
        first,
        { ...satisfied, observedAt: t(20) },
        expectationReanchored({ at: t(30), expectationId: 'e2', anchorId: 'e1', dueAt: t(80) }),
        second,
        { ...revealed, observedAt: t(25), factNumber: 2 },
      );
  });

  it('is nothing on another subject', () => {
    const elsewhere = expectationRecorded({ content: { subject: { type: 'shipment', id: 'S2' } } });
    given(elsewhere, e2).when(reporting(arrived)).then(arrived, revealed);
  });

  it('is never overdue afterwards', () => {
    given(e1, e2, arrived, revealed, skipped)
      .when(tick(t(500)))
      .then();
  });
});

describe('stalled', () => {
  const watched = expectationRecorded({ content: { grace: 'PT1H', horizon: t(100) } });
  const stalled = expectationLapsed({ at: t(101), block: { lapse: 'stalled' } });

  it('is what is open when its horizon has passed in silence', () => {
    given(watched)
      .when(tick(t(101)))
      .then(stalled);
  });

  it('is nothing whose silence a fact on its subject has broken', () => {
    const noise = factRecorded({ fact: { factKey: 'seen:S1' } });
    given(watched, noise)
      .when(tick(t(101)))
      .then();
  });

  it('is not kept away by facts on other subjects', () => {
    const subject = { type: 'shipment', id: 'S2' };
    const noise = factRecorded({ fact: { factKey: 'seen:S2', subject }, subjects: [subject] });
    given(watched, noise)
      .when(tick(t(101)))
      .then(stalled);
  });
});

describe('suspended', () => {
  const suspended = expectationSuspended({ at: t(61), expectationId: 'e2', behind: 'e1' });

  it('means never overdue', () => {
    given(e1, e2, overdue, suspended)
      .when(tick(t(9_000)))
      .then();
  });

  it('ends when the anchor is satisfied', () => {
    const seen = factRecorded({ at: t(100), observedAt: t(100) });
    const late = { ...satisfied, at: t(100), satisfiedAt: t(100), observedAt: t(100), late: true, reportedLate: true };
    const reanchored = expectationReanchored({ at: t(100), expectationId: 'e2', anchorId: 'e1', dueAt: t(160) });
    const voided = dispatchVoided({ at: t(100) });
    given(e1, e2, overdue, suspended).when(reporting(seen)).then(seen, late, voided, reanchored);
    given(e1, e2, overdue, suspended, seen, late, voided, reanchored)
      .when(tick(t(161)))
      .then(
        expectationLapsed({
          at: t(161),
          expectationId: 'e2',
          block: {
            ...{ kind: 'shipment.arrival', expects: 'S1 arrives' },
            ...{ projectedDueAt: t(120), dueAt: t(160), lastFactAt: t(100) },
          },
        }),
      );
  });

  it('is at once what is anchored to what has lapsed', () => {
    const raised = { ...e2, at: t(70) };
    given(e1, overdue)
      .when(raising(raised))
      .then(raised, { ...suspended, at: t(70) });
  });
});

describe('the watcher’s time', () => {
  it('never goes back: an input stamped earlier is taken at the last instant', () => {
    const state = folded([e1]);
    expect(decide(state, tick(t(61)))).toEqual([overdue]);
    expect(decide(state, { ...reporting(departed), at: t(30) })[0]?.at).toBe(t(61));
  });

  it('is known by any well-formed instant, and by no other', () => {
    expect(() => decide(folded([]), tick('yesterday'))).toThrow('well-formed instant');
    given(e1).when(tick('2026-09-01t02:01:01+02:00')).then(overdue);
  });

  it('changes nothing by itself: a tick at which nothing is due says nothing', () => {
    given(configured({ settings: { lineageBound: 1 } }))
      .when(tick(t(1)))
      .then();
  });
});
