// Queued work in PostgreSQL, for any number of processes: claimed by row locks, leased by the database's clock.
import type { DataSource } from 'typeorm';
import type { Json } from '#agent-handler';
import { withStorage } from '#runtime';
import { isKey, keyOf } from '../store/insert-events.ts';
import type { Lease, TaskKey } from '../store/task-store.ts';
import { isOutside, PostgresWaits } from './postgres-waits.ts';
import type { Claim, ClaimedWork, EndedWait, NewWait, NewWork, WorkQueue } from './work-queue.ts';

const isHeld = 'owner IS NOT NULL AND lease_until > clock_timestamp()';
/** Held, or passed on for a while. */
const isTaken = 'lease_until IS NOT NULL AND lease_until > clock_timestamp()';

interface ClaimedRow {
  readonly user_name: string;
  readonly task_id: string;
  readonly name: string;
  readonly state: string;
  readonly asked_by: string;
  readonly payload: string | null;
  readonly result: string | null;
  readonly stage: ClaimedWork['stage'];
  readonly seq: string;
  readonly epoch: number;
  readonly is_void: boolean;
}

const isClaim = `${isKey} AND seq = $4 AND epoch = $5`;

/** Waits that are found late at a time. */
const lateAtOnce = 100;

export class PostgresWorkQueue implements WorkQueue {
  private readonly waits: PostgresWaits;

  constructor(private readonly database: DataSource) {
    this.waits = new PostgresWaits(database);
  }

  async enqueue(key: TaskKey, { name, payload, state, askedBy }: NewWork): Promise<void> {
    await withStorage(
      this.database.query(
        `INSERT INTO duewatch_host.work (application, user_name, task_id, name, payload, state, asked_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [...keyOf(key), name, JSON.stringify(payload), JSON.stringify(state), askedBy],
      ),
    );
  }

  async claim(application: string, { owner, leaseMs }: Lease): Promise<ClaimedWork | undefined> {
    const [rows] = await withStorage(
      this.database.query<[ClaimedRow[], number]>(
        `WITH late AS (UPDATE duewatch_host.work SET stage = 'late' WHERE seq IN (
           SELECT seq FROM duewatch_host.work
           WHERE application = $1 AND stage = 'external' AND late_at IS NOT NULL AND late_at <= now()
           ORDER BY late_at LIMIT ${lateAtOnce} FOR UPDATE SKIP LOCKED))
         UPDATE duewatch_host.work AS work SET epoch = work.epoch + 1, owner = $2,
           lease_until = clock_timestamp() + $3 * interval '1 ms',
           stage = CASE WHEN picked.stage = 'waiting' THEN 'begun' ELSE picked.stage END,
           begun_epoch = CASE WHEN picked.stage = 'waiting' THEN work.epoch + 1 ELSE work.begun_epoch END
         FROM (SELECT seq, stage FROM duewatch_host.work
               WHERE application = $1 AND NOT (${isOutside}) AND NOT (${isTaken})
               ORDER BY seq LIMIT 1 FOR UPDATE SKIP LOCKED) AS picked
         WHERE work.seq = picked.seq
         RETURNING work.user_name, work.task_id, work.name, work.state, work.asked_by, work.payload, work.result, picked.stage, work.seq, work.epoch,
           work.is_void`,
        [application, owner, leaseMs],
      ),
    );
    const [row] = rows;
    return row === undefined ? undefined : toClaimed(application, row);
  }

  async renew(application: string, { owner, leaseMs }: Lease, keys: readonly TaskKey[]): Promise<readonly TaskKey[]> {
    const [rows] = await withStorage(
      this.database.query<[{ user_name: string; task_id: string; is_void: boolean }[], number]>(
        `UPDATE duewatch_host.work SET lease_until = clock_timestamp() + $3 * interval '1 ms'
         WHERE application = $1 AND owner = $2
           AND (user_name, task_id) IN (SELECT * FROM unnest($4::text[], $5::text[]))
         RETURNING user_name, task_id, is_void`,
        [application, owner, leaseMs, keys.map(({ user }) => user), keys.map(({ taskId }) => taskId)],
      ),
    );
    const isVoid = rows.filter(({ is_void: isGone }) => isGone);
    return isVoid.map(({ user_name: user, task_id: taskId }) => ({ application, user, taskId }));
  }

  finish({ key, row, epoch }: Claim, result: Json): Promise<boolean> {
    return this.change(
      `UPDATE duewatch_host.work SET stage = 'done', payload = NULL, result = $6
       WHERE ${isClaim} AND NOT is_void RETURNING 1`,
      [...keyOf(key), row, epoch, JSON.stringify(result)],
    );
  }

  passOn({ key, row, epoch }: Claim, forMs: number): Promise<boolean> {
    return this.change(
      `UPDATE duewatch_host.work SET owner = NULL, lease_until = clock_timestamp() + $6 * interval '1 ms',
         stage = CASE WHEN stage = 'begun' AND begun_epoch = epoch THEN 'waiting' ELSE stage END
       WHERE ${isClaim} AND NOT is_void RETURNING 1`,
      [...keyOf(key), row, epoch, forMs],
    );
  }

  remove({ key, row, epoch }: Claim): Promise<boolean> {
    return this.change(`DELETE FROM duewatch_host.work WHERE ${isClaim} RETURNING 1`, [...keyOf(key), row, epoch]);
  }

  async void(key: TaskKey): Promise<'gone' | 'begun'> {
    // In this order: one that is claimed in between is void before it is looked at again.
    await this.change(`UPDATE duewatch_host.work SET is_void = true WHERE ${isKey} RETURNING 1`, keyOf(key));
    await this.change(`DELETE FROM duewatch_host.work WHERE ${isKey} AND NOT (${isHeld}) RETURNING 1`, keyOf(key));
    const rows = await withStorage(
      this.database.query<unknown[]>(`SELECT 1 FROM duewatch_host.work WHERE ${isKey}`, keyOf(key)),
    );
    return rows.length > 0 ? 'begun' : 'gone';
  }

  openWait(key: TaskKey, wait: NewWait): Promise<void> {
    return this.waits.open(key, wait);
  }

  waitFor(key: TaskKey, tokenHash: string, waiting: Pick<NewWork, 'state' | 'askedBy'>): Promise<boolean> {
    return this.waits.waitFor(key, tokenHash, waiting);
  }

  endWait(application: string, tokenHash: string, result: Json): Promise<EndedWait> {
    return this.waits.end(application, tokenHash, result);
  }

  letGo(application: string, overForMs: number, mostCount: number): Promise<number> {
    return this.waits.letGo(application, overForMs, mostCount);
  }

  private async change(sql: string, parameters: readonly unknown[]): Promise<boolean> {
    const [rows] = await withStorage(this.database.query<[unknown[], number]>(sql, [...parameters]));
    return rows.length > 0;
  }
}

function toClaimed(application: string, row: ClaimedRow): ClaimedWork {
  const { user_name: user, task_id: taskId, name, stage, seq, epoch, is_void: isVoid, asked_by: askedBy } = row;
  const read = (text: string | null): Json | undefined => (text === null ? undefined : (JSON.parse(text) as Json));
  return {
    ...{ key: { application, user, taskId }, name, stage, row: seq, epoch, isVoid, askedBy },
    ...{ state: read(row.state) ?? null, payload: read(row.payload), result: read(row.result) },
  };
}
