import type { ExpectationLapsed, LapseBlock } from '#expectations';
import { SendMessageRequest } from '@a2a-js/sdk';
import { EXTENSION_URI } from './extension.ts';
import { lapseRequest } from './lapse-message.ts';

// The example of Expectations §10.1.
const skipped: LapseBlock = {
  expectationId: 'exp-01J8Q0MANIFEST',
  kind: 'shipment.manifest',
  subject: { type: 'shipment', id: 'PA-2026-0901' },
  expects: 'the airline manifest for PA-2026-0901',
  lapse: 'skipped',
  projectedDueAt: '2026-09-10T20:15:00Z',
  dueAt: '2026-09-10T20:15:00Z',
  lapsedAt: '2026-09-11T02:41:07Z',
  lastFactAt: '2026-09-11T02:41:00Z',
  satisfiedAfter: ['exp-01J8Q0DEPART'],
  lineage: 0,
};

function lapsed(lapse: LapseBlock): ExpectationLapsed {
  const { expectationId } = lapse;
  return {
    type: 'expectationLapsed',
    at: lapse.lapsedAt,
    agentId: 'booking',
    expectationId,
    taskId: 'task-booking-7f3a',
    contextId: 'ctx-northgate-sep',
    messageId: `lapse:${expectationId}:${lapse.lapse}:${lapse.dueAt}`,
    lapse,
    selfTimed: false,
  };
}

describe('the request of a lapse', () => {
  it('is what §10.1 says', () => {
    const expectsById = new Map([['exp-01J8Q0DEPART', 'a departure event for EK203']]);
    expect(lapseRequest(lapsed(skipped), { expectsById })).toEqual({
      message: {
        role: 'ROLE_USER',
        contextId: 'ctx-northgate-sep',
        referenceTaskIds: ['task-booking-7f3a'],
        messageId: 'lapse:exp-01J8Q0MANIFEST:skipped:2026-09-10T20:15:00Z',
        parts: [
          {
            text:
              'Skipped for shipment PA-2026-0901: the airline manifest for PA-2026-0901, due at 2026-09-10T20:15:00Z, ' +
              'had not come by 2026-09-11T02:41:07Z, although what should follow it had: ' +
              'a departure event for EK203 (exp-01J8Q0DEPART).',
          },
        ],
        extensions: [EXTENSION_URI],
        metadata: { [EXTENSION_URI]: { lapse: skipped } },
      },
      configuration: { returnImmediately: true },
    });
  });

  it('names no task, so that a new one is created', () => {
    expect(SendMessageRequest.fromJSON(lapseRequest(lapsed(skipped))).message?.taskId).toBe('');
  });

  it('survives ids that no text should have', () => {
    const nasty = { ...skipped, expectationId: 'a\0b\ud800"__proto__' };
    const request = lapseRequest(lapsed(nasty));
    const wire = JSON.stringify(SendMessageRequest.toJSON(SendMessageRequest.fromJSON(request)));
    expect(JSON.parse(wire)).toMatchObject({ message: { messageId: request.message.messageId } });
    expect(() => new TextEncoder().encode(wire)).not.toThrow();
  });
});

describe('its text for people', () => {
  const text = (lapse: LapseBlock, context = {}): string => lapseRequest(lapsed(lapse), context).message.parts[0].text;

  it('names when an overdue one was due, was first planned, and its grace', () => {
    const overdue: LapseBlock = { ...skipped, lapse: 'overdue', projectedDueAt: '2026-09-10T19:00:00Z' };
    expect(text(overdue, { grace: 'PT2H' })).toBe(
      'Overdue for shipment PA-2026-0901: the airline manifest for PA-2026-0901, due at 2026-09-10T20:15:00Z ' +
        '(first planned for 2026-09-10T19:00:00Z), with PT2H of grace, had not come by 2026-09-11T02:41:07Z.',
    );
  });

  it.each(['PT0S', 'P0DT0H', undefined])('leaves out a grace of %s', (grace) => {
    expect(text({ ...skipped, lapse: 'overdue' }, { grace })).not.toContain('grace');
  });

  it('names a revealing step by its id where nothing more is known', () => {
    expect(text(skipped)).toContain('what should follow it had: exp-01J8Q0DEPART.');
  });

  it('names since when a stalled one is silent', () => {
    expect(text({ ...skipped, lapse: 'stalled' })).toContain('nothing had been reported since 2026-09-11T02:41:00Z');
    const { lastFactAt: _, ...never } = skipped;
    expect(text({ ...never, lapse: 'stalled' })).toContain('since it was expected');
  });
});
