// A task in Redis: a hash with where it stands, its snapshot and its run, and a list of its events. What has come since the
// snapshot is folded over it.
import { Task, type TaskState, taskStateFromJSON } from '@a2a-js/sdk';
import type { HostRedis } from '../redis/host-redis.ts';
import { named } from '../redis/named-values.ts';
import { eventsKey, listKey, onceKey, overKey, leasesKey, memberOf, pushKeys, taskKey } from '../redis/redis-keys.ts';
import { readsClock, redisScript } from '../redis/redis-script.ts';
import type { RedisStep } from '../redis/redis-step.ts';
import { decodeTaskEvent, encodeTaskEvent, type TaskEvent } from '../task/task-event.ts';
import { foldTask } from '../task/task-life.ts';
import { isOver, stateOf } from '../task/task-state.ts';
import type { StoredTask, TaskKey } from './task-store.ts';

/** Where it stands, without what it is. */
export interface RedisTaskHead {
  readonly contextId: string;
  readonly state: TaskState;
  readonly version: number;
  readonly snapshotVersion: number;
  readonly epoch: number;
}

export interface RedisTaskRow extends RedisTaskHead {
  readonly task: Task;
  readonly run: StoredTask['run'];
  readonly isCancelAsked: boolean;
}

const headFields = ['context', 'state', 'version', 'snapshotVersion', 'epoch'] as const;
const fields = [...headFields, 'snapshot', 'owner', 'leaseUntil', 'cancelAsked'] as const;
type Values<Field extends string> = Record<Field, string | null>;

const readTask = redisScript(`${readsClock}
local found = redis.call('HMGET', KEYS[1], unpack(ARGV))
if not found[3] then return false end
return {string.format('%d', now), found, redis.call('LRANGE', KEYS[2], found[4], -1)}
`);

/** Its version and epoch must still be so when the step is written. */
export async function readHead(step: RedisStep, key: TaskKey): Promise<RedisTaskHead | undefined> {
  const values = await step.look(taskKey(key), headFields);
  if (values.version === null) return undefined;
  guardRow(step, key, toHead(values));
  return toHead(values);
}

export async function readRow(redis: HostRedis, key: TaskKey): Promise<RedisTaskRow | undefined> {
  const found = await redis.run(readTask, [taskKey(key), eventsKey(key)], fields);
  if (found === null) return undefined;
  const [now, texts, tail] = found as [string, (string | null)[], string[]];
  const values = named(fields, texts);
  const head = toHead(values);
  const isLeased = Number(values.leaseUntil) > Number(now);
  return {
    ...head,
    task: toTask({ taskId: key.taskId, contextId: head.contextId }, values.snapshot ?? '', tail),
    run: values.owner === null ? 'none' : isLeased ? 'held' : 'abandoned',
    isCancelAsked: values.cancelAsked !== null,
  };
}

export function guardRow(step: RedisStep, key: TaskKey, { version, epoch }: RedisTaskHead): void {
  step.guard(taskKey(key), 'version', String(version));
  step.guard(taskKey(key), 'epoch', String(epoch));
}

export function toTask(
  identity: { readonly taskId: string; readonly contextId: string },
  snapshot: string,
  tail: readonly string[],
): Task {
  const task = Task.fromJSON(JSON.parse(snapshot));
  return foldTask(task, tail.map(decodeTaskEvent), identity) ?? task;
}

/** As it is written of a task that there is. */
export function stateIn(text: string | null): TaskState {
  return taskStateFromJSON(Number(text));
}

function toHead(values: Values<(typeof headFields)[number]>): RedisTaskHead {
  const { context, state, version, snapshotVersion, epoch } = values;
  return {
    ...{ contextId: context ?? '', state: stateIn(state), version: Number(version) },
    ...{ snapshotVersion: Number(snapshotVersion), epoch: Number(epoch) },
  };
}

/** Behind those that there are; whoever follows the task is told, and whoever is to be pushed. */
export function writeEvents(step: RedisStep, key: TaskKey, events: readonly TaskEvent[]): void {
  const { openOfTask, duePrefix, users } = pushKeys(key.application);
  step.append(eventsKey(key), events.map(encodeTaskEvent));
  step.write('markDue', users, duePrefix, key.user, openOfTask(key));
  step.tell(key);
}

/** As a whole, with its place in all lists. `before`: the state by which it is listed now. */
export function writeSnapshot(step: RedisStep, key: TaskKey, task: Task, version: number, before?: TaskState): void {
  const state = stateOf(task);
  const statusMs = Date.parse(task.status?.timestamp ?? '');
  const snapshot = JSON.stringify(Task.toJSON(task));
  step.write('HSET', taskKey(key), 'snapshot', snapshot, 'snapshotVersion', version, 'state', state);
  if (before !== undefined && before !== state) {
    for (const list of listsOf(key, task.contextId, before).slice(2)) step.write('ZREM', list, key.taskId);
  }
  for (const list of listsOf(key, task.contextId, state)) step.write('ZADD', list, statusMs, key.taskId);
  if (isOver(state)) step.write('ZADD', overKey(key.application), statusMs, memberOf(key));
}

/** Nobody runs it. */
export function writeNoRun(step: RedisStep, key: TaskKey): void {
  step.write('HDEL', taskKey(key), 'owner', 'leaseUntil');
  step.write('ZREM', leasesKey(key.application), memberOf(key));
}

/** Nothing is left of it, but what its push configs are kept by. */
export function writeGone(
  step: RedisStep,
  key: TaskKey,
  kept: { readonly contextId: string; readonly state: TaskState; readonly once: string | null },
): void {
  for (const list of listsOf(key, kept.contextId, kept.state)) step.write('ZREM', list, key.taskId);
  step.write('ZREM', overKey(key.application), memberOf(key));
  step.write('DEL', taskKey(key));
  step.write('DEL', eventsKey(key));
  if (kept.once !== null) step.write('DEL', onceKey(key, kept.once));
}

/** The lists that it is in, those by its state last. */
function listsOf(key: TaskKey, contextId: string, state: TaskState): readonly string[] {
  const { taskId: _, ...scope } = key;
  return [
    ...[listKey(scope), listKey(scope, contextId)],
    ...[listKey(scope, undefined, state), listKey(scope, contextId, state)],
  ];
}
