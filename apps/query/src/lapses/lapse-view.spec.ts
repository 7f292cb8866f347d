import type { LapseRow } from '#read-model';
import { listDispatch } from './lapse-view.ts';

const row = (possibleDuplicate: boolean): LapseRow =>
  ({
    ...{ agentId: 'booking', expectationId: 'e1', lapse: 'overdue', messageId: 'm', lapsedAt: '2026-09-01T01:00:00Z' },
    ...{ dispatchState: 'submitted', dispatchTaskId: 't', attempts: 2, possibleDuplicate },
    ...{ outcome: null, cause: null, dispatchChangedAt: '2026-09-01T01:00:01Z' },
  }) as LapseRow;

it('says of a dispatch that the agent may have it twice, and nothing of it where it cannot', () => {
  expect(listDispatch(row(true))).toMatchObject({ attempts: 2, possibleDuplicate: true });
  expect(listDispatch(row(false))).not.toHaveProperty('possibleDuplicate');
});
