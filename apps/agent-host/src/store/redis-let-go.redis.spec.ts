// What Redis is relieved of: tasks that have been over for long, sessions that nobody uses, and nothing else.
import { Message, TaskPushNotificationConfig, TaskState } from '@a2a-js/sdk';
import { CredentialSeal, systemClock } from '#runtime';
import { RedisServer } from '#testing';
import { RedisPushStore } from '../push/redis-push-store.ts';
import { HostRedis } from '../redis/host-redis.ts';
import type { TaskEvent } from '../task/task-event.ts';
import { RedisSessionStore } from './redis-session-store.ts';
import { RedisTaskStore } from './redis-task-store.ts';
import type { TaskKey } from './task-store.ts';

const instant = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString();
const message = Message.fromJSON({ messageId: 'm', role: 'ROLE_USER', parts: [] });
const submitted: TaskEvent = { type: 'submitted', at: instant(9), message };
const completed = (daysAgo: number): TaskEvent => ({
  ...{ type: 'statusChanged', at: instant(daysAgo), state: TaskState.TASK_STATE_COMPLETED },
});
const dayMs = 86_400_000;
const keyOf = (taskId: string): TaskKey => ({ application: 'app', user: 'alice', taskId });

let server: RedisServer;
let redis: HostRedis;
let tasks: RedisTaskStore;
let push: RedisPushStore;
beforeAll(async () => {
  server = await RedisServer.start();
  redis = await HostRedis.open(server.address, { clock: systemClock, report: () => undefined });
  tasks = new RedisTaskStore(redis);
  tasks.keepReminders();
  push = new RedisPushStore(redis, new CredentialSeal(Buffer.alloc(32, 7)));
});
beforeEach(() => server.command('FLUSHALL'));
afterAll(async () => {
  redis.close();
  await server.close();
});

async function create(taskId: string, ...events: TaskEvent[]): Promise<TaskKey> {
  const once = { key: `once-${taskId}`, requestHash: 'hash' };
  await tasks.create({ key: keyOf(taskId), contextId: 'c', events: [submitted], once });
  for (const event of events) await tasks.append(keyOf(taskId), {}, [event]);
  return keyOf(taskId);
}
const config = TaskPushNotificationConfig.fromJSON({ id: 'a', url: 'https://a.example' });

it('of a task that is let go of nothing is left, and its key may be used again', async () => {
  const key = await create('1', completed(2));
  await push.set(key, config, 2, 3);
  expect(await tasks.letGo('app', dayMs, 10)).toBe(1);
  expect(await tasks.read(key)).toBeUndefined();
  expect(await redis.ask((client) => client.keys('*'))).toEqual([]);
});

it('reminders of a task go with it where its end was not told to them', async () => {
  await create('1');
  await new RedisTaskStore(redis).append(keyOf('1'), {}, [completed(2)]);
  expect((await redis.ask((client) => client.keys('*context*'))).length).toBe(1);
  expect(await tasks.letGo('app', dayMs, 10)).toBe(1);
  expect(await redis.ask((client) => client.keys('*'))).toEqual([]);
});

it('of many the oldest go, so many; what is not over, or not for so long, stays', async () => {
  await create('open');
  await create('young', completed(0));
  for (const [id, days] of [['b', 3] as const, ['c', 4] as const, ['a', 2] as const]) await create(id, completed(days));
  const left = async () => (await tasks.list(keyOf(''), { pageSize: 10 })).tasks.map(({ id }) => id);
  expect(await tasks.letGo('else', dayMs, 10)).toBe(0);
  expect(await tasks.letGo('app', dayMs, 2)).toBe(2);
  expect(await left()).toEqual(['young', 'a', 'open']);
  expect(await tasks.letGo('app', dayMs, 10)).toBe(1);
  expect(await left()).toEqual(['young', 'open']);
});

it('a task that somebody is still to be told of stays, and keeps no other from going', async () => {
  const told = await create('1', completed(3));
  await create('2', completed(2));
  await push.set(told, config, 0, 3);
  expect(await tasks.letGo('app', dayMs, 1)).toBe(1);
  expect(await tasks.letGo('app', dayMs, 1)).toBe(0);
  await push.failed((await push.claim('app', 0, []))!, undefined);
  expect(await tasks.letGo('app', dayMs, 1)).toBe(1);
});

it('a session goes once nobody has read or written it for long', async () => {
  const sessions = new RedisSessionStore(redis);
  const session = (contextId: string) => ({ application: 'app', user: 'alice', contextId });
  for (const contextId of ['read', 'left', 'new']) await sessions.write(session(contextId), 0, contextId);
  const old = Date.now() - 2 * dayMs;
  for (const contextId of ['read', 'left']) {
    const member = JSON.stringify(['alice', contextId]);
    await redis.ask((client) => client.hset(`duewatch-host:{"app"}:session:${member}`, 'usedAt', old));
    await redis.ask((client) => client.zadd('duewatch-host:{"app"}:session', old, member));
  }
  expect(await sessions.read(session('read'))).toEqual({ value: 'read', version: 1 });
  expect(await sessions.letGo('app', dayMs, 10)).toBe(1);
  expect(await sessions.read(session('left'))).toBeUndefined();
  expect(await sessions.read(session('read'))).toBeDefined();
  expect(await sessions.letGo('app', 0, 10)).toBe(2);
  expect(await redis.ask((client) => client.keys('*'))).toEqual([]);
});
