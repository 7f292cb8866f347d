// Keeps the list of tasks on which something still depends: what is closed goes, and what is over; what was recorded and
// is open comes, where its task goes on. It stands after the rows of tasks, which say whether one is over.
import type { QueryRunner } from 'typeorm';
import type { Changes } from '../fold/changes.ts';
import { endedStates } from '../fold/ended-states.ts';
import { identityHash } from '../stored-text.ts';
import { AwaitedTaskRow } from '../tables/awaited-task.entity.ts';
import type { ExpectationRow } from '../tables/expectation.entity.ts';
import { deleteRows, insertRowsWhere } from './bulk.ts';

/** Writes what the batch changes of it. */
export async function writeAwaited(runner: QueryRunner, changes: Changes): Promise<void> {
  const closed = [...changes.expectationPatches.values()].filter(({ status }) => status !== undefined);
  const isOver = (taskHash: string): boolean => endedStates.includes(changes.tasks.get(taskHash)?.state ?? '');
  const over = [...changes.tasks.keys()].filter(isOver).map((taskHash) => ({ taskHash }));
  const reasons = closed.map(({ expectationHash }) => ({ awaitedFor: expectationHash }));
  await deleteRows(runner, AwaitedTaskRow, reasons, 'awaitedFor');
  await deleteRows(runner, AwaitedTaskRow, over, 'taskHash');
  const open = changes.recorded.filter(({ status }) => status === 'open').flatMap(awaitedBy);
  const rows = [...open, ...changes.lapseTasks.values()].filter(({ taskHash }) => !isOver(taskHash));
  // One at a time by its key, as everything here: the planner's choice of a join would read all tasks.
  const goesOn = `(SELECT state FROM duewatch_read.task WHERE task.task_hash = added.task_hash) = ANY ('{${endedStates.join()}}') IS NOT TRUE`;
  await insertRowsWhere(runner, AwaitedTaskRow, rows, goesOn);
}

/** The task that raised it; and of a question the one it is about, whose going on answers it (§11). */
function awaitedBy(row: ExpectationRow): readonly AwaitedTaskRow[] {
  const { expectationHash, ledgerOffset, tenant, agentId, question, subjectId } = row;
  const taskIds = new Set([row.taskId, ...(question ? [subjectId] : [])]);
  return [...taskIds].map((taskId) => {
    const taskHash = identityHash(tenant, agentId, taskId);
    return { taskHash, awaitedFor: expectationHash, ledgerOffset, tenant, agentId, taskId };
  });
}
