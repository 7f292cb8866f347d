// A task's row in PostgreSQL: the snapshot in it, and what has come since.
import { Task, TaskState } from '@a2a-js/sdk';
import type { EntityManager } from 'typeorm';
import { decodeTaskEvent } from '../task/task-event.ts';
import { foldTask } from '../task/task-life.ts';
import { isOver, stateOf } from '../task/task-state.ts';
import { isKey, keyOf } from './insert-events.ts';
import type { StoredTask, TaskKey } from './task-store.ts';

/** COMPLETED, FAILED, CANCELED, REJECTED, as `isOver` has them. */
export const overStates = Object.values(TaskState)
  .filter((state) => typeof state === 'number' && isOver(state))
  .join();

/** True of a row whose run is held by a process that says so in time. */
export const isRunNow = 'owner IS NOT NULL AND lease_until > clock_timestamp()';

export interface LockedRow {
  readonly context_id: string;
  readonly state: TaskState;
  readonly version: number;
  readonly snapshot_version: number;
  readonly epoch: number;
  readonly read_at: Date;
}

interface ReadRow extends Omit<LockedRow, 'read_at'> {
  readonly snapshot: string;
  readonly run: StoredTask['run'];
  readonly is_cancel_asked: boolean;
  readonly tail: readonly string[] | null;
}

export function textOf(task: Task): string {
  return JSON.stringify(Task.toJSON(task));
}

export async function writeSnapshot(manager: EntityManager, key: TaskKey, version: number): Promise<void> {
  const row = await readRow(manager, key);
  if (row === undefined) throw new Error('a task that is locked is gone');
  const task = taskOf(row, key);
  await manager.query(
    `UPDATE duewatch_host.task SET snapshot = $4, snapshot_version = $5, state = $6, status_at = $7 WHERE ${isKey}`,
    [...keyOf(key), textOf(task), version, stateOf(task), task.status?.timestamp],
  );
}

export async function readRow(manager: EntityManager, key: TaskKey): Promise<ReadRow | undefined> {
  const [row] = await manager.query<ReadRow[]>(
    `SELECT context_id, state, version, snapshot_version, epoch, snapshot, is_cancel_asked, CASE WHEN owner IS NULL THEN 'none' WHEN ${isRunNow} THEN 'held' ELSE 'abandoned' END AS run,
       (SELECT array_agg(event.event ORDER BY event.version) FROM duewatch_host.task_event AS event
        WHERE event.application = $1 AND event.user_name = $2 AND event.task_id = $3
          AND event.version > task.snapshot_version) AS tail
     FROM duewatch_host.task AS task WHERE ${isKey}`,
    keyOf(key),
  );
  return row;
}

export function taskOf(row: ReadRow, { taskId }: TaskKey): Task {
  const snapshot = Task.fromJSON(JSON.parse(row.snapshot));
  const tail = (row.tail ?? []).map(decodeTaskEvent);
  return foldTask(snapshot, tail, { taskId, contextId: row.context_id }) ?? snapshot;
}
