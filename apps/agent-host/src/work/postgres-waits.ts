// Waits in PostgreSQL that somebody outside ends. A wait is a piece of work that nobody does, and a row that outlives it, by
// which a repeat is known.
import type { DataSource } from 'typeorm';
import type { Json } from '#agent-handler';
import { withStorage } from '#runtime';
import { isKey, keyOf } from '../store/insert-events.ts';
import type { TaskKey } from '../store/task-store.ts';
import type { EndedWait, NewWait, NewWork } from './work-queue.ts';

/** True of work that nobody can do: `open` while its turn goes on, `external` from then on. */
export const isOutside = `stage IN ('open', 'external')`;

export class PostgresWaits {
  constructor(private readonly database: DataSource) {}

  async open(key: TaskKey, { name, tokenHash, forMs }: NewWait): Promise<void> {
    const work = this.database.transaction(async (manager) => {
      await manager.query(
        `INSERT INTO duewatch_host.work (application, user_name, task_id, name, state, asked_by, stage, token_hash, late_at)
         VALUES ($1, $2, $3, $4, 'null', '', 'open', $5, clock_timestamp() + $6 * interval '1 ms')`,
        [...keyOf(key), name, tokenHash, forMs ?? null],
      );
      await manager.query(
        `INSERT INTO duewatch_host.wait (application, user_name, task_id, token_hash) VALUES ($1, $2, $3, $4)`,
        [...keyOf(key), tokenHash],
      );
    });
    await withStorage(work);
  }

  async waitFor(key: TaskKey, tokenHash: string, waiting: Pick<NewWork, 'state' | 'askedBy'>): Promise<boolean> {
    const [rows] = await withStorage(
      this.database.query<[unknown[], number]>(
        `UPDATE duewatch_host.work SET state = $5, asked_by = $6,
           stage = CASE WHEN result IS NULL THEN 'external' ELSE 'done' END
         WHERE ${isKey} AND token_hash = $4 AND stage = 'open' AND NOT is_void RETURNING 1`,
        [...keyOf(key), tokenHash, JSON.stringify(waiting.state), waiting.askedBy],
      ),
    );
    return rows.length > 0;
  }

  end(application: string, tokenHash: string, result: Json): Promise<EndedWait> {
    const work = this.database.transaction(async (manager): Promise<EndedWait> => {
      const isWait = 'application = $1 AND token_hash = $2';
      const [wait] = await manager.query<{ user_name: string; task_id: string; is_ended: boolean }[]>(
        `SELECT user_name, task_id, is_ended FROM duewatch_host.wait WHERE ${isWait} FOR UPDATE`,
        [application, tokenHash],
      );
      if (wait === undefined) return 'unknown';
      if (wait.is_ended) return 'repeated';
      const [rows] = await manager.query<[unknown[], number]>(
        `UPDATE duewatch_host.work SET result = $5, stage = CASE stage WHEN 'external' THEN 'done' ELSE stage END
         WHERE ${isKey} AND token_hash = $4 AND ${isOutside} AND NOT is_void RETURNING 1`,
        [application, wait.user_name, wait.task_id, tokenHash, JSON.stringify(result)],
      );
      if (rows.length === 0) return 'over';
      await manager.query(
        `UPDATE duewatch_host.wait SET is_ended = true, changed_at = clock_timestamp() WHERE ${isWait}`,
        [application, tokenHash],
      );
      return 'ended';
    });
    return withStorage(work);
  }

  async letGo(application: string, overForMs: number, mostCount: number): Promise<number> {
    const [, count] = await withStorage(
      this.database.query<[unknown[], number]>(
        `DELETE FROM duewatch_host.wait AS kept
         USING (SELECT token_hash FROM duewatch_host.wait AS wait
                WHERE application = $1 AND changed_at <= now() - $2 * interval '1 ms'
                  AND NOT EXISTS (SELECT FROM duewatch_host.work AS work
                    WHERE work.application = $1 AND work.user_name = wait.user_name AND work.task_id = wait.task_id
                      AND work.token_hash = wait.token_hash)
                ORDER BY changed_at LIMIT $3 FOR UPDATE SKIP LOCKED) AS old
         WHERE kept.application = $1 AND kept.token_hash = old.token_hash`,
        [application, overForMs, mostCount],
      ),
    );
    return count;
  }
}
