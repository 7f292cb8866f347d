// What is awaited is the same whether its ledger is folded in one batch or in many.
import { Changes } from './changes.ts';

const row = { taskHash: 't', awaitedFor: 't', ledgerOffset: 1, tenant: 'acme', agentId: 'a', taskId: 'task' };

function status(changes: Changes, state: string): void {
  const at = '2026-09-10T00:00:00Z';
  const of = { tenant: 'acme', agentId: 'a', taskId: 'task', contextId: 'c', statusAt: null, appliedAt: at };
  changes.tasks.set('t', { taskHash: 't', ...of, state });
  if (state === 'TASK_STATE_COMPLETED') changes.taskEnded('t');
}

it('a task that ends is awaited no more, though its id is used again in the same batch', () => {
  const changes = new Changes();
  changes.awaitTask(row);
  status(changes, 'TASK_STATE_COMPLETED');
  status(changes, 'TASK_STATE_WORKING');
  expect(changes.awaited).toEqual([]);
  changes.awaitTask(row);
  expect(changes.awaited).toMatchObject([{ row, isKnown: true }]);
});

it('a task that is over by then is not awaited, and of one that nothing is said of what is stored counts', () => {
  const changes = new Changes();
  status(changes, 'TASK_STATE_COMPLETED');
  changes.awaitTask(row);
  expect(changes.awaited).toEqual([]);
  const other = new Changes();
  other.awaitTask(row);
  expect(other.awaited).toMatchObject([{ isKnown: false }]);
});

it('what is acknowledged twice is awaited since the first time', () => {
  const changes = new Changes();
  changes.awaitTask(row);
  changes.awaitTask({ ...row, ledgerOffset: 2 });
  expect(changes.awaited.map(({ row: { ledgerOffset } }) => ledgerOffset)).toEqual([1]);
});
