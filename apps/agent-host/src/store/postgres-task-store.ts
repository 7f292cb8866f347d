// Tasks in PostgreSQL, for any number of processes. A task's row is locked while its events are appended; the snapshot in it
// is written with each status, and what has come since is folded over it. Leases are by the database's clock.
import type { DataSource, EntityManager } from 'typeorm';
import { defaultBounds } from '#reminders';
import { withStorage } from '#runtime';
import { PostgresTaskReminders, type ToWake } from '../reminders/postgres-task-reminders.ts';
import { concernsReminders } from '../reminders/reminder-inputs.ts';
import { remindTask } from '../reminders/remind.ts';
import type { TaskReminders } from '../reminders/task-reminders.ts';
import { decodeTaskEvent, type TaskEvent } from '../task/task-event.ts';
import { firstRefusal, foldTask, stateAfter } from '../task/task-life.ts';
import { isOver, stateOf } from '../task/task-state.ts';
import { guardRefusal } from './append-guard.ts';
import type { HostNotifications } from './host-notifications.ts';
import { insertEvents, isKey, keyOf } from './insert-events.ts';
import { letGoOfTasks } from './let-go-of-tasks.ts';
import { listTasks } from './list-tasks.ts';
import { isSnapshotDue } from './snapshot-due.ts';
import { isRunNow, type LockedRow, overStates, readRow, taskOf, textOf, writeSnapshot } from './task-row.ts';
import type {
  AppendGuard,
  Appended,
  Created,
  HeldRun,
  Lease,
  NewTask,
  StoredTask,
  TaskKey,
  TaskPage,
  TaskQuery,
  TaskScope,
  TaskStore,
  TaskWatch,
} from './task-store.ts';

interface HeldRow {
  readonly user_name: string;
  readonly task_id: string;
  readonly epoch: number;
  readonly is_cancel_asked: boolean;
}

interface Written<Answer> {
  readonly answer: Answer;
  readonly wake?: ToWake;
}

export class PostgresTaskStore implements TaskStore {
  private reminders: PostgresTaskReminders | undefined;

  constructor(
    private readonly database: DataSource,
    private readonly notifications: HostNotifications,
  ) {}

  keepReminders(bounds = defaultBounds): TaskReminders {
    return (this.reminders ??= new PostgresTaskReminders(this.database, this.notifications, bounds));
  }

  async create(task: NewTask): Promise<Created> {
    const { key, once } = task;
    const { answer, wake } = await this.transact((manager) => this.begin(manager, task));
    if (answer) {
      this.notifications.tell(key);
      if (wake !== undefined) this.reminders?.wake(wake);
      return { epoch: 1 };
    }
    const [known] = await withStorage(
      this.database.query<{ task_id: string; request_hash: string }[]>(
        'SELECT task_id, request_hash FROM duewatch_host.task WHERE application = $1 AND user_name = $2 AND once_key = $3',
        [key.application, key.user, once?.key],
      ),
    );
    if (known === undefined) throw new Error('a task that is known by its key is not there');
    return { known: { taskId: known.task_id, requestHash: known.request_hash } };
  }

  async append(key: TaskKey, guard: AppendGuard, events: readonly TaskEvent[], then?: 'release'): Promise<Appended> {
    const { answer, wake } = await this.transact((manager) => this.appendIn(manager, key, guard, events, then));
    if ('version' in answer) this.notifications.tell(key);
    if (wake !== undefined) this.reminders?.wake(wake);
    return answer;
  }

  private async begin(manager: EntityManager, asked: NewTask): Promise<Written<boolean>> {
    const { key, contextId, lease, once } = asked;
    const context = { application: key.application, user: key.user, contextId };
    const before = await this.reminders?.lock(manager, context);
    const bounds = this.reminders?.bounds ?? defaultBounds;
    const reminded = before && remindTask(before, { taskId: key.taskId, version: 0, bounds }, asked.events);
    const events = reminded?.taskEvents ?? asked.events;
    const refusal = firstRefusal(undefined, events);
    const task = foldTask(undefined, events, { taskId: key.taskId, contextId });
    if (refusal !== undefined || task === undefined) throw new Error(`a task cannot begin so: ${refusal}`);
    const owner = isOver(stateOf(task)) ? null : (lease?.owner ?? null);
    const rows = await manager.query<unknown[]>(
      `INSERT INTO duewatch_host.task (application, user_name, task_id, context_id, state, status_at, version, snapshot,
         snapshot_version, epoch, owner, lease_until, once_key, request_hash)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $7, 1, $9, clock_timestamp() + $10 * interval '1 ms', $11, $12)
       ON CONFLICT (application, user_name, once_key) WHERE once_key IS NOT NULL DO NOTHING RETURNING 1`,
      [
        ...[...keyOf(key), contextId, stateOf(task), task.status?.timestamp, events.length, textOf(task), owner],
        ...[lease?.leaseMs ?? 0, once?.key ?? null, once?.requestHash ?? null],
      ],
    );
    if (rows.length === 0) return { answer: false };
    await insertEvents(manager, key, 0, events);
    const wake = reminded && (await this.reminders?.keepOf(manager, context, reminded, events[0]?.at ?? ''));
    return { answer: true, ...(wake && { wake }) };
  }

  private async appendIn(
    manager: EntityManager,
    key: TaskKey,
    guard: AppendGuard,
    asked: readonly TaskEvent[],
    then: 'release' | undefined,
  ): Promise<Written<Appended>> {
    // The context before any of its tasks; it is never another.
    const isConcern = concernsReminders(asked, then);
    const contextId = isConcern ? await this.reminders?.contextOf(manager, key) : undefined;
    const context = contextId === undefined ? undefined : { application: key.application, user: key.user, contextId };
    const before = context && (await this.reminders?.lock(manager, context, [key.taskId]));
    const [row] = await manager.query<LockedRow[]>(
      `SELECT context_id, state, version, snapshot_version, epoch, clock_timestamp() AS read_at
       FROM duewatch_host.task WHERE ${isKey} FOR UPDATE`,
      keyOf(key),
    );
    if (row === undefined) return { answer: { refused: 'unknown' } };
    const refused = guardRefusal(row, guard) ?? firstRefusal(row.state, asked);
    if (refused !== undefined) return { answer: { refused } };
    const at = asked[0]?.at ?? row.read_at.toISOString();
    const of = { taskId: key.taskId, version: row.version, bounds: this.reminders?.bounds ?? defaultBounds };
    const reminded = before && remindTask(before, of, asked, then && { at });
    const version = await appendTo(manager, key, row, reminded?.taskEvents ?? asked, then);
    const wake = context && reminded && (await this.reminders?.keepOf(manager, context, reminded, at));
    return { answer: { version }, ...(wake && { wake }) };
  }

  async read(key: TaskKey): Promise<StoredTask | undefined> {
    const row = await withStorage(readRow(this.database.manager, key));
    if (row === undefined) return undefined;
    const { version, epoch, run, is_cancel_asked: isCancelAsked } = row;
    return { task: taskOf(row, key), version, epoch, run, isCancelAsked };
  }

  async eventsAfter(key: TaskKey, version: number, mostCount?: number): Promise<readonly TaskEvent[]> {
    const rows = await withStorage(
      this.database.query<{ event: string }[]>(
        `SELECT event FROM duewatch_host.task_event WHERE ${isKey} AND version > $4 ORDER BY version LIMIT $5`,
        [...keyOf(key), version, mostCount ?? null],
      ),
    );
    return rows.map(({ event }) => decodeTaskEvent(event));
  }

  list(scope: TaskScope, query: TaskQuery): Promise<TaskPage> {
    return withStorage(listTasks(this.database, scope, query));
  }

  watch(key: TaskKey): TaskWatch {
    return this.notifications.watch(key);
  }

  async takeOver(key: TaskKey, { owner, leaseMs }: Lease): Promise<number | undefined> {
    const [rows] = await withStorage(
      this.database.query<[{ epoch: number }[], number]>(
        `UPDATE duewatch_host.task
         SET epoch = epoch + 1, owner = $4, lease_until = clock_timestamp() + $5 * interval '1 ms'
         WHERE ${isKey} AND state NOT IN (${overStates}) AND NOT (${isRunNow}) RETURNING epoch`,
        [...keyOf(key), owner, leaseMs],
      ),
    );
    return rows[0]?.epoch;
  }

  async renew(application: string, { owner, leaseMs }: Lease, keys: readonly TaskKey[]): Promise<readonly HeldRun[]> {
    if (keys.length === 0) return [];
    const [rows] = await withStorage(
      this.database.query<[HeldRow[], number]>(
        `UPDATE duewatch_host.task SET lease_until = clock_timestamp() + $3 * interval '1 ms'
         WHERE application = $1 AND (user_name, task_id) IN (
           SELECT user_name, task_id FROM duewatch_host.task
           WHERE application = $1 AND owner = $2
             AND (user_name, task_id) IN (SELECT * FROM unnest($4::text[], $5::text[]))
           ORDER BY user_name, task_id FOR UPDATE)
           AND owner = $2 RETURNING user_name, task_id, epoch, is_cancel_asked`,
        [application, owner, leaseMs, keys.map(({ user }) => user), keys.map(({ taskId }) => taskId)],
      ),
    );
    return rows.map(({ user_name: user, task_id: taskId, epoch, is_cancel_asked: isCancelAsked }) => ({
      ...{ key: { application, user, taskId }, epoch, isCancelAsked },
    }));
  }

  async abandoned(application: string, limit: number): Promise<readonly TaskKey[]> {
    const rows = await withStorage(
      this.database.query<{ user_name: string; task_id: string }[]>(
        `SELECT user_name, task_id FROM duewatch_host.task
         WHERE application = $1 AND owner IS NOT NULL AND lease_until <= clock_timestamp() ORDER BY lease_until LIMIT $2`,
        [application, limit],
      ),
    );
    return rows.map(({ user_name: user, task_id: taskId }) => ({ application, user, taskId }));
  }

  async askToCancel(key: TaskKey): Promise<void> {
    await withStorage(
      this.database.query(
        `UPDATE duewatch_host.task SET is_cancel_asked = true WHERE ${isKey} AND state NOT IN (${overStates})`,
        keyOf(key),
      ),
    );
    this.notifications.tell(key);
  }

  letGo(application: string, overForMs: number, mostCount: number): Promise<number> {
    return this.transact((manager) => letGoOfTasks(manager, application, overForMs, mostCount));
  }

  async close(): Promise<void> {
    // The database is its opener's.
  }

  private transact<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return withStorage(this.database.transaction(work));
  }
}

/** The version after it. The task's row is locked, and takes the events; whoever is to be told of them is due. */
async function appendTo(
  manager: EntityManager,
  key: TaskKey,
  row: LockedRow,
  events: readonly TaskEvent[],
  then: 'release' | undefined,
): Promise<number> {
  const version = row.version + events.length;
  await insertEvents(manager, key, row.version, events);
  const state = events.reduce((now, event) => stateAfter(now, event), row.state);
  const isFree = then === 'release' || isOver(state);
  await manager.query(
    `WITH told AS (UPDATE duewatch_host.push SET next_at = clock_timestamp()
       WHERE ${isKey} AND next_at IS NULL AND NOT is_done AND $4 > told_version)
     UPDATE duewatch_host.task SET version = $4, owner = CASE WHEN $5 THEN NULL ELSE owner END WHERE ${isKey}`,
    [...keyOf(key), version, isFree],
  );
  if (isSnapshotDue(events, version, row.snapshot_version)) await writeSnapshot(manager, key, version);
  return version;
}
