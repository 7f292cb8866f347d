// Tasks in Redis, for any number of processes. What is appended is decided of what was read, and written where that is still
// so; the snapshot is written with each status, and what has come since is folded over it. Leases are by the server's clock.
import { defaultBounds } from '#reminders';
import type { HostRedis } from '../redis/host-redis.ts';
import { eventsKey, keyOfMember, leasesKey, memberOf, onceKey, taskKey } from '../redis/redis-keys.ts';
import { elapsed, renewOwn } from '../redis/redis-leases.ts';
import type { RedisStep } from '../redis/redis-step.ts';
import { RedisTaskReminders } from '../reminders/redis-task-reminders.ts';
import { concernsReminders } from '../reminders/reminder-inputs.ts';
import { remindTask } from '../reminders/remind.ts';
import type { TaskReminders } from '../reminders/task-reminders.ts';
import { decodeTaskEvent, type TaskEvent } from '../task/task-event.ts';
import { changesStatus, firstRefusal, foldTask, stateAfter } from '../task/task-life.ts';
import { isOver, stateOf } from '../task/task-state.ts';
import { guardRefusal } from './append-guard.ts';
import { letGoOfTasks } from './redis-let-go-of-tasks.ts';
import { listTasks } from './redis-list-tasks.ts';
import {
  guardRow,
  readHead,
  readRow,
  type RedisTaskHead,
  type RedisTaskRow,
  stateIn,
  writeEvents,
  writeNoRun,
  writeSnapshot,
} from './redis-task-row.ts';
import { isSnapshotDue } from './snapshot-due.ts';
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

export class RedisTaskStore implements TaskStore {
  private reminders: RedisTaskReminders | undefined;

  constructor(private readonly redis: HostRedis) {}

  keepReminders(bounds = defaultBounds): TaskReminders {
    return (this.reminders ??= new RedisTaskReminders(this.redis, bounds));
  }

  create(task: NewTask): Promise<Created> {
    return this.redis.inStep((step) => this.begin(step, task));
  }

  append(key: TaskKey, guard: AppendGuard, events: readonly TaskEvent[], then?: 'release'): Promise<Appended> {
    return this.redis.inStep((step) => this.appendIn(step, key, guard, events, then));
  }

  async read(key: TaskKey): Promise<StoredTask | undefined> {
    const row = await readRow(this.redis, key);
    if (row === undefined) return undefined;
    const { task, version, epoch, run, isCancelAsked } = row;
    return { task, version, epoch, run, isCancelAsked };
  }

  async eventsAfter(key: TaskKey, version: number, mostCount?: number): Promise<readonly TaskEvent[]> {
    const last = mostCount === undefined ? -1 : version + mostCount - 1;
    const texts = await this.redis.ask((client) => client.lrange(eventsKey(key), version, last));
    return texts.map(decodeTaskEvent);
  }

  list(scope: TaskScope, query: TaskQuery): Promise<TaskPage> {
    return listTasks(this.redis, scope, query);
  }

  watch(key: TaskKey): TaskWatch {
    return this.redis.watch(key);
  }

  takeOver(key: TaskKey, { owner, leaseMs }: Lease): Promise<number | undefined> {
    return this.redis.inStep(async (step) => {
      // The clock first: a lease that is over by then is so for good, unless somebody has written it since.
      const now = await this.redis.now();
      const run = await step.read(taskKey(key), ['state', 'epoch', 'owner', 'leaseUntil']);
      const isHeld = run.owner !== null && Number(run.leaseUntil) > now;
      if (run.state === null || isHeld || isOver(stateIn(run.state))) return undefined;
      const epoch = Number(run.epoch) + 1;
      step.write('HSET', taskKey(key), 'epoch', epoch);
      writeRun(step, key, { owner, leaseMs });
      return epoch;
    });
  }

  async renew(application: string, lease: Lease, keys: readonly TaskKey[]): Promise<readonly HeldRun[]> {
    const members = keys.filter((key) => key.application === application).map(memberOf);
    const keyOf = (member: string): string => taskKey(keyOfMember(application, member));
    const set = leasesKey(application);
    const own = await renewOwn(this.redis, { set, keyOf }, lease, members, ['epoch', 'cancelAsked']);
    return own.map(([member, { epoch, cancelAsked }]) => ({
      ...{ key: keyOfMember(application, member), epoch: Number(epoch), isCancelAsked: cancelAsked !== null },
    }));
  }

  async abandoned(application: string, limit: number): Promise<readonly TaskKey[]> {
    const members = await elapsed(this.redis, leasesKey(application), 0, limit);
    return members.map((member) => keyOfMember(application, member));
  }

  askToCancel(key: TaskKey): Promise<void> {
    return this.redis.inStep(async (step) => {
      const { state } = await step.read(taskKey(key), ['state']);
      if (state === null || isOver(stateIn(state))) return;
      step.write('HSET', taskKey(key), 'cancelAsked', 1);
      step.tell(key);
    });
  }

  /**
   * Removes tasks that have been over for so long, so many at most, the oldest first: with their events, keys and push
   * configs. How many. One that somebody is still to be told of stays.
   */
  letGo(application: string, overForMs: number, mostCount: number): Promise<number> {
    return letGoOfTasks(this.redis, application, overForMs, mostCount);
  }

  async close(): Promise<void> {
    // The connection is its opener's.
  }

  private async begin(step: RedisStep, asked: NewTask): Promise<Created> {
    const { key, contextId, lease, once } = asked;
    if (once !== undefined) {
      const { taskId, requestHash } = await step.read(onceKey(key, once.key), ['taskId', 'requestHash']);
      if (taskId !== null) return { known: { taskId, requestHash: requestHash ?? '' } };
    }
    const context = { application: key.application, user: key.user, contextId };
    const before = await this.reminders?.load(step, context);
    const bounds = this.reminders?.bounds ?? defaultBounds;
    const reminded = before && remindTask(before, { taskId: key.taskId, version: 0, bounds }, asked.events);
    const events = reminded?.taskEvents ?? asked.events;
    const refusal = firstRefusal(undefined, events);
    const task = foldTask(undefined, events, { taskId: key.taskId, contextId });
    const { version } = await step.read(taskKey(key), ['version']);
    if (refusal !== undefined || task === undefined || version !== null) {
      throw new Error(`a task cannot begin so: ${refusal ?? 'its id is known'}`);
    }
    step.write('HSET', taskKey(key), 'context', contextId, 'version', events.length, 'epoch', 1);
    if (once !== undefined) {
      step.write('HSET', onceKey(key, once.key), 'taskId', key.taskId, 'requestHash', once.requestHash);
      step.write('HSET', taskKey(key), 'once', once.key);
    }
    writeSnapshot(step, key, task, events.length);
    writeEvents(step, key, events);
    if (lease !== undefined && !isOver(stateOf(task))) writeRun(step, key, lease);
    if (reminded !== undefined) await this.reminders?.keepOf(step, context, reminded, events[0]?.at ?? '');
    return { epoch: 1 };
  }

  private async appendIn(
    step: RedisStep,
    key: TaskKey,
    guard: AppendGuard,
    asked: readonly TaskEvent[],
    then: 'release' | undefined,
  ): Promise<Appended> {
    const row = await this.rowFor(step, key, asked);
    if (row === undefined) return { refused: 'unknown' };
    const refused = guardRefusal(row, guard) ?? firstRefusal(row.state, asked);
    if (refused !== undefined) return { refused };
    const at = asked[0]?.at ?? new Date(await this.redis.now()).toISOString();
    const context = { application: key.application, user: key.user, contextId: row.contextId };
    const before = concernsReminders(asked, then) ? await this.reminders?.load(step, context) : undefined;
    const of = { taskId: key.taskId, version: row.version, bounds: this.reminders?.bounds ?? defaultBounds };
    const reminded = before && remindTask(before, of, asked, then && { at });
    const events = reminded?.taskEvents ?? asked;
    const version = row.version + events.length;
    step.write('HSET', taskKey(key), 'version', version);
    writeEvents(step, key, events);
    if ('task' in row) {
      const task = foldTask(row.task, events, { taskId: key.taskId, contextId: row.contextId }) ?? row.task;
      writeSnapshot(step, key, task, version, row.state);
    }
    const state = events.reduce((now, event) => stateAfter(now, event), row.state);
    if (then === 'release' || isOver(state)) writeNoRun(step, key);
    if (reminded !== undefined) await this.reminders?.keepOf(step, context, reminded, at);
    return { version };
  }

  /** Whole where a snapshot is to be written with these events. */
  private async rowFor(
    step: RedisStep,
    key: TaskKey,
    events: readonly TaskEvent[],
  ): Promise<RedisTaskHead | RedisTaskRow | undefined> {
    if (!events.some(changesStatus)) {
      const head = await readHead(step, key);
      if (head === undefined || !isSnapshotDue(events, head.version + events.length, head.snapshotVersion)) return head;
    }
    const row = await readRow(this.redis, key);
    if (row !== undefined) guardRow(step, key, row);
    return row;
  }
}

function writeRun(step: RedisStep, key: TaskKey, { owner, leaseMs }: Lease): void {
  step.write('HSET', taskKey(key), 'owner', owner);
  step.writeInstant(taskKey(key), 'leaseUntil', leaseMs, leasesKey(key.application), memberOf(key));
}
