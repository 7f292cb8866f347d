// The reminders' journal beside the tasks in PostgreSQL: of each context what its events fold to. A context is locked before
// any of its tasks, whoever changes both, so that nobody waits for each other.
import type { EntityManager } from 'typeorm';
import { type ContextName, type Event, initialState, isOver, type ReminderJournal, type State } from '#reminders';

const lockSeed = 0x72656d;

export class PostgresReminderJournal implements ReminderJournal<EntityManager> {
  async load(manager: EntityManager, context: ContextName): Promise<State> {
    await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, $2))', [nameOf(context), lockSeed]);
    return this.look(manager, context);
  }

  /** False where another has the lock. */
  async tryLock(manager: EntityManager, context: ContextName): Promise<boolean> {
    const [row] = await manager.query<{ is_locked: boolean }[]>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, $2)) AS is_locked',
      [nameOf(context), lockSeed],
    );
    return row?.is_locked === true;
  }

  /** Without the lock. */
  async look(manager: EntityManager, { owner, contextId }: ContextName): Promise<State> {
    const [row] = await manager.query<{ state: string }[]>(
      'SELECT state FROM duewatch_host.reminder_context WHERE owner = $1 AND context_id = $2',
      [owner, contextId],
    );
    // Only what `append` wrote.
    return row === undefined ? initialState(contextId) : (JSON.parse(row.state) as State);
  }

  async append(
    manager: EntityManager,
    { owner, contextId }: ContextName,
    events: readonly Event[],
    after: State,
  ): Promise<void> {
    if (events.length === 0) return;
    if (isOver(after)) return this.forget(manager, { owner, contextId });
    await manager.query(
      `INSERT INTO duewatch_host.reminder_context (owner, context_id, state) VALUES ($1, $2, $3)
       ON CONFLICT (owner, context_id) DO UPDATE SET state = excluded.state`,
      [owner, contextId, JSON.stringify(after)],
    );
  }

  async forget(manager: EntityManager, { owner, contextId }: ContextName): Promise<void> {
    await manager.query('DELETE FROM duewatch_host.reminder_context WHERE owner = $1 AND context_id = $2', [
      owner,
      contextId,
    ]);
  }
}

function nameOf({ owner, contextId }: ContextName): string {
  return JSON.stringify([owner, contextId]);
}
