// Leave to send a lapse task: by the log's order, what was closed first is not submitted.
import {
  artifact,
  dispatchAcknowledged,
  dispatchAttempted,
  dispatchFailed,
  dispatchVoided,
  expectationLapsed,
  expectationRecorded,
  expectationSatisfied,
  expectationWithdrawn,
  factRecorded,
  given,
  reporting,
  t,
} from '#testing';
import type { DispatchAttempted } from './input.ts';

const e1 = expectationRecorded();
const overdue = expectationLapsed();
const attempt: DispatchAttempted = dispatchAttempted({ at: t(100), attempt: 2 });
const granted = dispatchAttempted({ at: t(100), attempt: 2 });
const seen = factRecorded({ at: t(90) });
const satisfied = expectationSatisfied({
  ...{ at: t(90), late: true, reportedLate: true, factKey: 'departed:S1', factNumber: 1 },
});
const voided = dispatchVoided({ at: t(100), attempt: 2 });

describe('an attempt', () => {
  it('is granted while what lapsed is open', () => {
    given(e1, overdue).when(attempt).then(granted);
  });

  it('is granted again after one that failed', () => {
    given(e1, overdue, dispatchAttempted(), dispatchFailed()).when(attempt).then(granted);
  });

  it('is granted as the possible duplicate that it is asked as', () => {
    given(e1, overdue, dispatchAttempted(), dispatchFailed({ outcome: 'unknown' }))
      .when({ ...attempt, possibleDuplicate: true })
      .then({ ...granted, possibleDuplicate: true });
  });

  it('is void when it was satisfied first', () => {
    given(e1, overdue, seen, satisfied, dispatchVoided({ at: t(90) }))
      .when(attempt)
      .then({ ...voided, cause: 'satisfied' });
  });

  it('is void when it was withdrawn first', () => {
    given(e1, overdue, expectationWithdrawn({ at: t(90) }), dispatchVoided({ at: t(90), cause: 'withdrawn' }))
      .when(attempt)
      .then({ ...voided, cause: 'withdrawn' });
  });

  it('is void when the agent has taken it already', () => {
    given(e1, overdue, dispatchAttempted(), dispatchAcknowledged())
      .when(attempt)
      .then({ ...voided, cause: 'acknowledged' });
  });

  it('is void when there is no such lapse', () => {
    const unknown = { ...voided, cause: 'unknown' } as const;
    given(e1)
      .when({ ...attempt, at: t(50) })
      .then({ ...unknown, at: t(50) });
    given(e1, overdue)
      .when({ ...attempt, lapse: 'stalled' })
      .then({ ...unknown, lapse: 'stalled' });
    given(e1, overdue)
      .when({ ...attempt, agentId: 'nobody' })
      .then({ ...unknown, agentId: 'nobody' });
    given(e1, overdue)
      .when({ ...attempt, expectationId: 'e9' })
      .then({ ...unknown, expectationId: 'e9' });
  });

  it('is void where the agent keeps its own time', () => {
    given(e1, { ...overdue, selfTimed: true })
      .when(attempt)
      .then({ ...voided, cause: 'acknowledged' });
  });
});

describe('what waits to be sent', () => {
  it('is void as soon as it is satisfied', () => {
    given(e1, overdue)
      .when(reporting(seen))
      .then(seen, satisfied, dispatchVoided({ at: t(90) }));
  });

  it('is void as soon as it is withdrawn, each lapse of it', () => {
    const stalled = expectationLapsed({ block: { lapse: 'stalled' } });
    given(e1, overdue, stalled)
      .when(artifact({ withdraw: ['e1'] }, { at: t(90) }))
      .then(
        expectationWithdrawn({ at: t(90) }),
        dispatchVoided({ at: t(90), cause: 'withdrawn' }),
        dispatchVoided({ at: t(90), cause: 'withdrawn', lapse: 'stalled' }),
      );
  });

  it('is not void when the agent has taken it', () => {
    given(e1, overdue, dispatchAttempted(), dispatchAcknowledged()).when(reporting(seen)).then(seen, satisfied);
  });
});

describe('what the dispatcher has learned', () => {
  it.each([
    dispatchAcknowledged({ at: t(100), taskId: 'lapse-task' }),
    dispatchFailed({ at: t(100), outcome: 'parked' }),
  ])('is recorded as it came: $type', (outcome) => {
    given(e1, overdue, dispatchAttempted()).when(outcome).then(outcome);
  });

  it('is recorded also of what has closed meanwhile', () => {
    const acknowledged = dispatchAcknowledged({ at: t(100) });
    given(e1, overdue, dispatchAttempted(), expectationWithdrawn({ at: t(90) }))
      .when(acknowledged)
      .then(acknowledged);
  });
});
