// What of the port `TaskStore` lets go of old tasks, run against every implementation.
import { Message, TaskState } from '@a2a-js/sdk';
import type { DataSource } from 'typeorm';
import { systemClock } from '#runtime';
import { createDatabase, type TestDatabase } from '#testing';
import type { TaskEvent } from '../task/task-event.ts';
import { openHostDatabase } from './host-database.ts';
import { HostNotifications } from './host-notifications.ts';
import { MemoryTaskStore } from './memory-task-store.ts';
import { PostgresTaskStore } from './postgres-task-store.ts';
import type { NewTask, TaskKey, TaskStore } from './task-store.ts';

const now = () => new Date(systemClock.now()).toISOString();
const message = Message.fromJSON({ messageId: 'hello', role: 'ROLE_USER', parts: [] });
const submitted = (at = now()): TaskEvent => ({ type: 'submitted', at, message });
const status = (state: TaskState, at = now()): TaskEvent => ({ type: 'statusChanged', at, state });
const long = { owner: 'a', leaseMs: 600_000 };

describe.each(['memory', 'PostgreSQL'])('tasks kept in %s, let go of,', (place) => {
  let test: TestDatabase | undefined;
  let database: DataSource | undefined;
  let store: TaskStore;
  let count = 0;
  let key: TaskKey;
  beforeAll(async () => {
    if (place === 'memory') store = new MemoryTaskStore(systemClock);
    else {
      test = await createDatabase();
      database = await openHostDatabase(test.url);
      const told = new HostNotifications(database, test.url, systemClock, () => undefined);
      store = new PostgresTaskStore(database, told);
    }
  });
  afterAll(async () => {
    await database?.destroy();
    await test?.drop();
  });
  beforeEach(() => (key = { application: `app-${(count += 1)}`, user: 'alice', taskId: 'task-1' }));

  const create = (over: Partial<NewTask> = {}) =>
    store.create({ key, contextId: 'context-1', events: [submitted()], ...over });

  const end = async (taskId: string, more: Partial<NewTask> = {}, at = now()) => {
    const ended = { ...key, taskId };
    await create({ key: ended, ...more });
    await store.append(ended, {}, [status(TaskState.TASK_STATE_COMPLETED, at)]);
    return ended;
  };

  it('are like ones that were never there, their keys too', async () => {
    const once = { key: 'order-1', requestHash: 'abc' };
    const ended = await end('task-1', { once, lease: long });
    expect(await store.letGo(key.application, 0, 10)).toBe(1);
    expect(await store.read(ended)).toBeUndefined();
    expect(await store.eventsAfter(ended, 0)).toEqual([]);
    expect(await store.append(ended, {}, [status(TaskState.TASK_STATE_WORKING)])).toEqual({ refused: 'unknown' });
    expect(await store.append(ended, { epoch: 1 }, [], 'release')).toEqual({ refused: 'unknown' });
    expect(await store.takeOver(ended, long)).toBeUndefined();
    expect((await store.list(key, { pageSize: 10 })).totalCount).toBe(0);
    await store.askToCancel(ended);
    expect(await create({ key: { ...key, taskId: 'again' }, once })).toEqual({ epoch: 1 });
  });

  it('are none that are not over, or not for so long, or another application’s', async () => {
    await create({ events: [submitted('2020-01-01T00:00:00.000Z')] });
    await create({ key: { ...key, taskId: 'abandoned' }, lease: { ...long, leaseMs: 0 } });
    await end('recent');
    expect(await store.letGo('else', 0, 10)).toBe(0);
    expect(await store.letGo(key.application, 600_000, 10)).toBe(0);
    expect((await store.list(key, { pageSize: 10 })).totalCount).toBe(3);
    expect(await store.letGo(key.application, 0, 10)).toBe(1);
    expect((await store.list(key, { pageSize: 10 })).totalCount).toBe(2);
  });

  it('are so many at a time, the oldest first, by several processes at once different ones', async () => {
    for (const taskId of ['1', '2', '3', '4', '5']) await end(taskId, {}, `2020-01-0${taskId}T00:00:00.000Z`);
    expect(await store.letGo(key.application, 0, 1)).toBe(1);
    expect(await store.read({ ...key, taskId: '1' })).toBeUndefined();
    const both = await Promise.all([1, 2].map(() => store.letGo(key.application, 0, 2)));
    const left = (await store.list(key, { pageSize: 10 })).totalCount;
    expect(both[0]! + both[1]! + left).toBe(4);
    while ((await store.letGo(key.application, 0, 2)) > 0) continue;
    expect((await store.list(key, { pageSize: 10 })).totalCount).toBe(0);
  });
});
