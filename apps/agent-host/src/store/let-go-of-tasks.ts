// Lets go of tasks that have been over for long, with all that is kept of them. It must never wait for who works, nor let
// go of what somebody is still to be told.
import type { EntityManager } from 'typeorm';
import { forgetContexts } from '../reminders/forget-contexts.ts';
import { overStates } from './task-row.ts';

interface OverRow {
  readonly user_name: string;
  readonly task_id: string;
  readonly context_id: string;
}

/** In one transaction; how many. Several processes at once let go of different ones. */
export async function letGoOfTasks(
  manager: EntityManager,
  application: string,
  overForMs: number,
  mostCount: number,
): Promise<number> {
  const rows = await manager.query<OverRow[]>(
    `SELECT user_name, task_id, context_id FROM duewatch_host.task AS task
     WHERE application = $1 AND state IN (${overStates}) AND status_at <= now() - $2 * interval '1 ms'
       AND NOT EXISTS (SELECT FROM duewatch_host.push AS push
         WHERE push.application = task.application AND push.user_name = task.user_name AND push.task_id = task.task_id
           AND NOT push.is_done AND push.told_version < task.version)
     ORDER BY status_at LIMIT $3 FOR UPDATE SKIP LOCKED`,
    [application, overForMs, mostCount],
  );
  if (rows.length === 0) return 0;
  const ids = [application, rows.map(({ user_name }) => user_name), rows.map(({ task_id }) => task_id)];
  for (const table of ['push', 'task_event', 'task']) {
    await manager.query(
      `DELETE FROM duewatch_host.${table} AS kept USING unnest($2::text[], $3::text[]) AS gone (user_name, task_id)
       WHERE kept.application = $1 AND kept.user_name = gone.user_name AND kept.task_id = gone.task_id`,
      ids,
    );
  }
  await forgetContexts(
    manager,
    rows.map(({ user_name: user, context_id: contextId }) => ({ application, user, contextId })),
  );
  return rows.length;
}
