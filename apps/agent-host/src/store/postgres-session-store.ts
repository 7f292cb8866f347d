// Sessions in PostgreSQL, for any number of processes.
import type { DataSource } from 'typeorm';
import type { Json } from '#agent-handler';
import { withStorage } from '#runtime';
import type { KeptSession, SessionKey, SessionStore } from './session-store.ts';

export class PostgresSessionStore implements SessionStore {
  constructor(private readonly database: DataSource) {}

  async read({ application, user, contextId }: SessionKey): Promise<KeptSession | undefined> {
    const [row] = await withStorage(
      this.database.query<{ value: string; version: number }[]>(
        `SELECT value, version FROM duewatch_host.session WHERE application = $1 AND user_name = $2 AND context_id = $3`,
        [application, user, contextId],
      ),
    );
    return row === undefined ? undefined : { value: JSON.parse(row.value) as Json, version: row.version };
  }

  async write({ application, user, contextId }: SessionKey, version: number, value: Json): Promise<boolean> {
    const rows = await withStorage(
      this.database.query<unknown[]>(
        `INSERT INTO duewatch_host.session AS kept (application, user_name, context_id, version, value)
         SELECT $1, $2, $3, $4 + 1, $5 WHERE $4 = 0 OR EXISTS (SELECT FROM duewatch_host.session
           WHERE application = $1 AND user_name = $2 AND context_id = $3)
         ON CONFLICT (application, user_name, context_id)
           DO UPDATE SET version = excluded.version, value = excluded.value WHERE kept.version = $4 RETURNING 1`,
        [application, user, contextId, version, JSON.stringify(value)],
      ),
    );
    return rows.length > 0;
  }
}
