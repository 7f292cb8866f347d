// Whom to tell of a task, and how far they have been told: a position in the task's events for each config, so that what is
// told is told in order, and a crash between telling and noting it tells the last again, never less.
import { TaskPushNotificationConfig } from '@a2a-js/sdk';
import type { DataSource, EntityManager } from 'typeorm';
import { type CredentialSeal, withStorage } from '#runtime';
import { isKey, keyOf } from '../store/insert-events.ts';
import type { TaskKey } from '../store/task-store.ts';

export interface DuePush {
  readonly key: TaskKey;
  readonly contextId: string;
  readonly configId: string;
  /** `PushStore.open` has it. */
  readonly sealed: Uint8Array;
  /** The version of the task that was told last. */
  readonly toldVersion: number;
  /** In a row. */
  readonly failuresCount: number;
}

const isConfig = `${isKey} AND config_id = $4`;

interface DueRow {
  readonly user_name: string;
  readonly task_id: string;
  readonly context_id: string;
  readonly config_id: string;
  readonly config: Uint8Array;
  readonly told_version: number;
  readonly failures_count: number;
}

export class PushStore {
  constructor(
    private readonly database: DataSource,
    /** Callers give credentials with what they ask to be told. */
    private readonly seal: CredentialSeal,
  ) {}

  /**
   * Another of the same id is replaced, and is told from that version on. False where the task has so many others, or is
   * not there any more.
   */
  set(key: TaskKey, config: TaskPushNotificationConfig, toldVersion: number, mostCount: number): Promise<boolean> {
    const work = this.database.transaction(async (manager) => {
      // One after the other: of many at once none would see the others.
      const version = await lockedVersion(manager, key);
      if (version === undefined) return false;
      const rows = await manager.query<unknown[]>(
        `INSERT INTO duewatch_host.push (application, user_name, task_id, config_id, config, told_version, next_at)
         SELECT $1, $2, $3, $4, $5, $6, CASE WHEN $8 THEN clock_timestamp() END
         WHERE (SELECT count(*) FROM duewatch_host.push WHERE ${isKey} AND config_id <> $4) < $7
         ON CONFLICT (application, user_name, task_id, config_id) DO UPDATE
           SET config = excluded.config, told_version = excluded.told_version, next_at = excluded.next_at,
             failures_count = 0, is_done = false
         RETURNING 1`,
        [...keyOf(key), config.id, this.sealed(key, config), toldVersion, mostCount, version > toldVersion],
      );
      return rows.length > 0;
    });
    return withStorage(work);
  }

  async list(key: TaskKey): Promise<readonly TaskPushNotificationConfig[]> {
    const rows = await withStorage(
      this.database.query<{ config_id: string; config: Uint8Array }[]>(
        `SELECT config_id, config FROM duewatch_host.push WHERE ${isKey} ORDER BY config_id COLLATE "C"`,
        keyOf(key),
      ),
    );
    return rows.map((row) => this.open({ key, configId: row.config_id, sealed: row.config }));
  }

  /** Throws `SealBrokenError` where it was sealed with another key. */
  open({ key, configId, sealed }: Pick<DuePush, 'key' | 'configId' | 'sealed'>): TaskPushNotificationConfig {
    return TaskPushNotificationConfig.fromJSON(JSON.parse(this.seal.open(sealed, ownerOf(key, configId))));
  }

  async delete(key: TaskKey, configId: string): Promise<void> {
    await withStorage(
      this.database.query(`DELETE FROM duewatch_host.push WHERE ${isConfig}`, [...keyOf(key), configId]),
    );
  }

  /** The config of a task that something has happened to which has waited longest, for nobody else for so long. */
  async claim(application: string, claimMs: number, busyUsers: readonly string[]): Promise<DuePush | undefined> {
    const [rows] = await withStorage(
      this.database.query<[DueRow[], number]>(
        `UPDATE duewatch_host.push AS push SET next_at = clock_timestamp() + $2 * interval '1 ms'
         FROM (SELECT due.user_name, due.task_id, task.context_id, due.config_id FROM duewatch_host.push AS due
               JOIN duewatch_host.task AS task USING (application, user_name, task_id)
               WHERE due.application = $1 AND due.next_at <= now() AND NOT (due.user_name = ANY ($3))
               ORDER BY due.next_at LIMIT 1 FOR UPDATE OF due SKIP LOCKED) AS picked
         WHERE push.application = $1 AND push.user_name = picked.user_name AND push.task_id = picked.task_id
           AND push.config_id = picked.config_id
         RETURNING push.user_name, push.task_id, picked.context_id, push.config_id, push.config, push.told_version,
           push.failures_count`,
        [application, claimMs, busyUsers],
      ),
    );
    const [row] = rows;
    if (row === undefined) return undefined;
    return {
      key: { application, user: row.user_name, taskId: row.task_id },
      ...{ contextId: row.context_id, configId: row.config_id, sealed: row.config },
      ...{ toldVersion: row.told_version, failuresCount: row.failures_count },
    };
  }

  /**
   * Told up to the version; the claim is extended, or given back. `isLast`: nothing more will happen. Where nothing more has
   * happened, it is looked at again once something has: whoever appends says so, and holds the task's row meanwhile.
   */
  async told({ key, configId }: DuePush, version: number, claimMs: number, isLast: boolean): Promise<void> {
    const work = this.database.transaction(async (manager) => {
      const isMore = claimMs > 0 || ((await lockedVersion(manager, key)) ?? 0) > version;
      await manager.query(
        `UPDATE duewatch_host.push SET told_version = $5, failures_count = 0, is_done = $7,
           next_at = CASE WHEN $8 THEN clock_timestamp() + $6 * interval '1 ms' END
         WHERE ${isConfig} AND told_version <= $5`,
        [...keyOf(key), configId, version, claimMs, isLast, isMore && !isLast],
      );
    });
    await withStorage(work);
  }

  /** Not told: tried again after the delay, or never where there is none. */
  async failed({ key, configId }: DuePush, delayMs: number | undefined): Promise<void> {
    await withStorage(
      this.database.query(
        `UPDATE duewatch_host.push SET failures_count = failures_count + 1, is_done = $6,
           next_at = CASE WHEN NOT $6 THEN clock_timestamp() + $5 * interval '1 ms' END WHERE ${isConfig}`,
        [...keyOf(key), configId, delayMs ?? 0, delayMs === undefined],
      ),
    );
  }

  private sealed(key: TaskKey, config: TaskPushNotificationConfig): Buffer {
    return this.seal.seal(JSON.stringify(TaskPushNotificationConfig.toJSON(config)), ownerOf(key, config.id));
  }
}

/** Undefined where there is no such task. Nobody appends to it until the end of the transaction. */
async function lockedVersion(manager: EntityManager, key: TaskKey): Promise<number | undefined> {
  const [row] = await manager.query<{ version: number }[]>(
    `SELECT version FROM duewatch_host.task WHERE ${isKey} FOR UPDATE`,
    keyOf(key),
  );
  return row?.version;
}

function ownerOf({ application, user, taskId }: TaskKey, configId: string): string {
  return JSON.stringify([application, user, taskId, configId]);
}
