// Events of tasks as rows, written by whoever holds the tasks' own rows.
import type { EntityManager } from 'typeorm';
import { encodeTaskEvent, type TaskEvent } from '../task/task-event.ts';
import type { TaskKey, TaskScope } from './task-store.ts';

export const isKey = 'application = $1 AND user_name = $2 AND task_id = $3';

export function keyOf({ application, user, taskId }: TaskKey): [string, string, string] {
  return [application, user, taskId];
}

export async function insertEvents(
  manager: EntityManager,
  key: TaskKey,
  version: number,
  events: readonly TaskEvent[],
): Promise<void> {
  await manager.query(
    `INSERT INTO duewatch_host.task_event (application, user_name, task_id, version, event)
     SELECT $1, $2, $3, $4 + place, event FROM unnest($5::text[]) WITH ORDINALITY AS told (event, place)`,
    [...keyOf(key), version, events.map(encodeTaskEvent)],
  );
}

/** In the order of their ids, as leases are renewed: nobody waits for each other. */
export async function lockTasks(manager: EntityManager, scope: TaskScope, taskIds: readonly string[]): Promise<void> {
  await manager.query(
    `SELECT 1 FROM duewatch_host.task WHERE application = $1 AND user_name = $2 AND task_id = ANY($3)
     ORDER BY task_id FOR UPDATE`,
    [scope.application, scope.user, taskIds],
  );
}

/** What is of no consequence to the tasks, and told to their subscribers. A run that is no task has none. */
export async function tellTasks(
  manager: EntityManager,
  { application, user }: TaskScope,
  told: readonly (readonly [string, readonly TaskEvent[]])[],
): Promise<void> {
  for (const [taskId, events] of told) {
    const key = { application, user, taskId };
    const [rows] = await manager.query<[{ version: number }[], number]>(
      `UPDATE duewatch_host.task SET version = version + $4 WHERE ${isKey} RETURNING version`,
      [...keyOf(key), events.length],
    );
    const [row] = rows;
    if (row !== undefined) await insertEvents(manager, key, row.version - events.length, events);
  }
}
