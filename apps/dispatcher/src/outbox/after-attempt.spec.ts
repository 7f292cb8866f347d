import { expectationLapsed } from '#testing';
import { afterFind, afterSend, type Attempted, parked, resent } from './after-attempt.ts';

function row(fields: Partial<Attempted> = {}): Attempted {
  return { lapsed: expectationLapsed(), attempt: 2, lastOutcome: null, closed: false, isAbandoned: false, ...fields };
}

const of = { agentId: 'booking', expectationId: 'e1', lapse: 'overdue', attempt: 2 };
const gone = { remove: true };

describe('after a send', () => {
  it('that the agent acknowledged, the log is told so', () => {
    expect(afterSend(row(), { outcome: 'acknowledged', taskId: 't' }, 9)).toEqual({
      remove: false,
      state: 'submitted',
      attempt: 2,
      delayMs: 0,
      lastOutcome: null,
      report: { type: 'dispatchAcknowledged', ...of, taskId: 't' },
    });
    expect(afterSend(row({ closed: true }), { outcome: 'acknowledged' }, 9)).toMatchObject({
      report: { type: 'dispatchAcknowledged', ...of },
    });
  });

  it('that did not reach it, it is tried again later', () => {
    expect(afterSend(row(), { outcome: 'unreachable', cause: 'c' }, 9)).toEqual({
      remove: false,
      state: 'ready',
      attempt: 3,
      delayMs: 9,
      lastOutcome: 'unreachable',
      report: { type: 'dispatchFailed', ...of, outcome: 'unreachable', cause: 'c' },
    });
  });

  it('that is unknown, it is looked for later, as the same attempt', () => {
    expect(afterSend(row(), { outcome: 'unknown', cause: 'c' }, 9)).toMatchObject({
      state: 'unknown',
      attempt: 2,
      delayMs: 9,
      report: { outcome: 'unknown', cause: 'c' },
    });
  });

  it('that it refused, it is parked for good, or tried again', () => {
    expect(afterSend(row(), { outcome: 'refused', cause: 'c', permanent: true }, 9)).toMatchObject({
      state: 'parked',
      report: { outcome: 'parked', cause: 'c' },
    });
    expect(afterSend(row(), { outcome: 'refused', cause: 'c', permanent: false }, 9)).toMatchObject({
      state: 'ready',
      attempt: 3,
      report: { outcome: 'refused', cause: 'c' },
    });
  });

  it('that failed as the one before, the log is told nothing', () => {
    expect(afterSend(row({ lastOutcome: 'unreachable' }), { outcome: 'unreachable', cause: 'c' }, 9)).toMatchObject({
      state: 'ready',
      report: null,
    });
    expect(afterSend(row({ lastOutcome: 'unreachable' }), { outcome: 'unknown', cause: 'c' }, 9)).toHaveProperty(
      'report.outcome',
      'unknown',
    );
  });

  it('of what was closed meanwhile, nothing is left to do unless it may be with the agent', () => {
    const closed = row({ closed: true });
    expect(afterSend(closed, { outcome: 'unreachable', cause: 'c' }, 9)).toEqual(gone);
    expect(afterSend(closed, { outcome: 'refused', cause: 'c', permanent: true }, 9)).toEqual(gone);
    expect(afterSend(closed, { outcome: 'unknown', cause: 'c' }, 9)).toMatchObject({ state: 'unknown', report: null });
    expect(parked(closed, 'c')).toEqual(gone);
  });
});

describe('after a look at the agent', () => {
  const cannotTell = { outcome: 'cannotTell', cause: 'c' } as const;

  it('that found it, the log is told so', () => {
    expect(afterFind(row(), { outcome: 'found', taskId: 't' }, 9)).toMatchObject({
      state: 'submitted',
      report: { type: 'dispatchAcknowledged', ...of, taskId: 't' },
    });
  });

  it('that found nothing, it is sent again at once', () => {
    const again = { remove: false, state: 'ready', attempt: 3, delayMs: 0, report: null };
    expect(afterFind(row(), { outcome: 'absent' }, 9)).toMatchObject(again);
  });

  it('that can never tell, the log is asked anew, and told that it may double', () => {
    expect(afterFind(row(), { ...cannotTell, temporary: false }, 9)).toEqual({
      ...{ remove: false, state: 'asked', attempt: 3, delayMs: 9, lastOutcome: null },
      report: { type: 'dispatchAttempted', ...of, attempt: 3, possibleDuplicate: true },
    });
  });

  it('that found nothing of an attempt that was abandoned, the log is asked anew, and told that it may double', () => {
    expect(afterFind(row({ isAbandoned: true }), { outcome: 'absent' }, 0)).toEqual({
      ...{ remove: false, state: 'asked', attempt: 3, delayMs: 0, lastOutcome: null },
      report: { type: 'dispatchAttempted', ...of, attempt: 3, possibleDuplicate: true },
    });
    expect(afterFind(row({ isAbandoned: true, closed: true }), { outcome: 'absent' }, 0)).toEqual(gone);
  });

  it('that cannot tell for now, it is looked for again', () => {
    expect(afterFind(row(), { ...cannotTell, temporary: true }, 9)).toMatchObject({
      state: 'unknown',
      attempt: 2,
      delayMs: 9,
    });
  });

  it('of what was closed meanwhile, it is not sent again', () => {
    expect(afterFind(row({ closed: true }), { outcome: 'absent' }, 9)).toEqual(gone);
    expect(afterFind(row({ closed: true }), { ...cannotTell, temporary: false }, 9)).toEqual(gone);
    expect(afterFind(row({ closed: true }), { ...cannotTell, temporary: true }, 9)).toMatchObject({ state: 'unknown' });
  });
});

describe('what makes one task however often it comes', () => {
  it('is sent again at once, and nothing is told', () => {
    const again = { remove: false, state: 'ready', attempt: 3, delayMs: 0, lastOutcome: 'unknown', report: null };
    expect(resent(row({ lastOutcome: 'unknown' }))).toEqual(again);
  });

  it('is not sent again once it was closed: whether the agent has it is still to be known', () => {
    expect(resent(row({ closed: true }))).toMatchObject({ state: 'unknown', attempt: 2, report: null });
  });
});
