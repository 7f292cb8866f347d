// Keeps the list of tasks on which something still depends: what is closed goes, and what is over; what came comes, where its
// task goes on. It stands before the rows of tasks: of a task that the batch says nothing of before, what is stored counts.
import type { QueryRunner } from 'typeorm';
import { terminalStates } from '#expectations';
import type { Changes } from '../fold/changes.ts';
import { AwaitedTaskRow } from '../tables/awaited-task.entity.ts';
import { deleteRows, insertRowsWhere } from './bulk.ts';

// One at a time by its key, as everything here: the planner's choice of a join would read all tasks.
const goesOn = `(SELECT state FROM duewatch_read.task WHERE task.task_hash = added.task_hash) = ANY ('{${terminalStates.join()}}') IS NOT TRUE`;

/** Writes what the batch changes of it. */
export async function writeAwaited(runner: QueryRunner, changes: Changes): Promise<void> {
  const closed = [...changes.expectationPatches.values()].filter(({ status }) => status !== undefined);
  const reasons = closed.map(({ expectationHash }) => ({ awaitedFor: expectationHash }));
  const over = [...changes.endedTasks].map((taskHash) => ({ taskHash }));
  await deleteRows(runner, AwaitedTaskRow, reasons, 'awaitedFor');
  await deleteRows(runner, AwaitedTaskRow, over, 'taskHash');
  const { awaited } = changes;
  const rowsOf = (known: boolean): AwaitedTaskRow[] =>
    awaited.filter(({ isKnown }) => isKnown === known).map(({ row }) => row);
  await insertRowsWhere(runner, AwaitedTaskRow, rowsOf(false), goesOn);
  await insertRowsWhere(runner, AwaitedTaskRow, rowsOf(true), 'TRUE');
}
