// Of what is let go of, no key is left in Redis.
import { Message, TaskPushNotificationConfig, TaskState } from '@a2a-js/sdk';
import { CredentialSeal, systemClock } from '#runtime';
import { RedisServer } from '#testing';
import { RedisPushStore } from '../push/redis-push-store.ts';
import { HostRedis } from '../redis/host-redis.ts';
import type { TaskEvent } from '../task/task-event.ts';
import { RedisWorkQueue } from '../work/redis-work-queue.ts';
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

it('of sessions and waits that are let go of nothing is left', async () => {
  const sessions = new RedisSessionStore(redis);
  await sessions.write({ application: 'app', user: 'alice', contextId: 'c' }, 0, 'value');
  expect(await sessions.letGo('app', 0, 10)).toBe(1);
  const work = new RedisWorkQueue(redis);
  await work.openWait(keyOf('1'), { name: 'payment', tokenHash: 'hash', forMs: 600_000 });
  await work.waitFor(keyOf('1'), 'hash', { state: null, askedBy: 'a' });
  await work.void(keyOf('1'));
  expect(await work.letGo('app', 0, 10)).toBe(1);
  expect(await redis.ask((client) => client.keys('*'))).toEqual(['duewatch-host:{"app"}:work-count']);
});
