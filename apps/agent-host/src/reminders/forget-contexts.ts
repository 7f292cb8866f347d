// Reminders end with the last open task of their context, and nothing is kept of it then. What a process has left behind
// that did not know of reminders goes here, once none of its tasks is there any more.
import type { EntityManager } from 'typeorm';
import { PostgresReminderJournal } from './postgres-reminder-journal.ts';
import { type ContextKey, contextNameOf } from './task-reminders.ts';

/** Of these contexts; one that somebody works in stays, and nobody is waited for. */
export async function forgetContexts(manager: EntityManager, contexts: readonly ContextKey[]): Promise<void> {
  const journal = new PostgresReminderJournal();
  const byName = new Map(contexts.map((context) => [JSON.stringify(contextNameOf(context)), context]));
  const names = [...byName.values()].map(contextNameOf);
  const rows = await manager.query<{ owner: string; context_id: string }[]>(
    `SELECT owner, context_id FROM duewatch_host.reminder_context
     WHERE (owner, context_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
    [names.map(({ owner }) => owner), names.map(({ contextId }) => contextId)],
  );
  for (const { owner, context_id: contextId } of rows) {
    const context = byName.get(JSON.stringify({ owner, contextId }));
    if (context === undefined || !(await journal.tryLock(manager, { owner, contextId }))) continue;
    const { tasks } = await journal.look(manager, { owner, contextId });
    const left = await manager.query<unknown[]>(
      `SELECT 1 FROM duewatch_host.task WHERE application = $1 AND user_name = $2 AND task_id = ANY ($3) LIMIT 1`,
      [context.application, context.user, tasks.map(({ taskId }) => taskId)],
    );
    if (left.length === 0) await journal.forget(manager, { owner, contextId });
  }
}
