// Sessions in PostgreSQL, for any number of processes.
import type { DataSource } from 'typeorm';
import type { Json } from '#agent-handler';
import { withStorage } from '#runtime';
import type { KeptSession, SessionKey, SessionStore } from './session-store.ts';

const isKey = 'application = $1 AND user_name = $2 AND context_id = $3';

export class PostgresSessionStore implements SessionStore {
  constructor(private readonly database: DataSource) {}

  async read({ application, user, contextId }: SessionKey): Promise<KeptSession | undefined> {
    const [row] = await withStorage(
      this.database.query<{ value: string; version: number; is_noted: boolean }[]>(
        `SELECT value, version, used_at > now() - interval '1 hour' AS is_noted FROM duewatch_host.session WHERE ${isKey}`,
        [application, user, contextId],
      ),
    );
    if (row?.is_noted === false) await this.note({ application, user, contextId });
    return row === undefined ? undefined : { value: JSON.parse(row.value) as Json, version: row.version };
  }

  async write({ application, user, contextId }: SessionKey, version: number, value: Json): Promise<boolean> {
    const rows = await withStorage(
      this.database.query<unknown[]>(
        `INSERT INTO duewatch_host.session AS kept (application, user_name, context_id, version, value)
         SELECT $1, $2, $3, $4 + 1, $5 WHERE $4 = 0 OR EXISTS (SELECT FROM duewatch_host.session WHERE ${isKey})
         ON CONFLICT (application, user_name, context_id)
           DO UPDATE SET version = excluded.version, value = excluded.value, used_at = clock_timestamp()
           WHERE kept.version = $4 RETURNING 1`,
        [application, user, contextId, version, JSON.stringify(value)],
      ),
    );
    return rows.length > 0;
  }

  async letGo(application: string, unusedForMs: number, mostCount: number): Promise<number> {
    const [, count] = await withStorage(
      this.database.query<[unknown[], number]>(
        `DELETE FROM duewatch_host.session AS kept
         USING (SELECT user_name, context_id FROM duewatch_host.session
                WHERE application = $1 AND used_at <= now() - $2 * interval '1 ms'
                ORDER BY used_at LIMIT $3 FOR UPDATE SKIP LOCKED) AS unused
         WHERE kept.application = $1 AND kept.user_name = unused.user_name AND kept.context_id = unused.context_id`,
        [application, unusedForMs, mostCount],
      ),
    );
    return count;
  }

  private async note({ application, user, contextId }: SessionKey): Promise<void> {
    await withStorage(
      this.database.query(`UPDATE duewatch_host.session SET used_at = clock_timestamp() WHERE ${isKey}`, [
        ...[application, user, contextId],
      ]),
    );
  }
}
