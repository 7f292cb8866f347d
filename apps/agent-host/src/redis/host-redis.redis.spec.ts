// What the host's stores in Redis come to while it is away, takes nothing, or is started again.
import { inspect } from 'node:util';
import { Message, TaskState } from '@a2a-js/sdk';
import { type RedisAddress, StorageUnavailableError, systemClock } from '#runtime';
import { RedisServer, until } from '#testing';
import { RedisTaskStore } from '../store/redis-task-store.ts';
import type { TaskKey } from '../store/task-store.ts';
import type { TaskEvent } from '../task/task-event.ts';
import { HostRedis } from './host-redis.ts';

const at = '2027-01-01T00:00:00.000Z';
const submitted: TaskEvent = {
  ...{ type: 'submitted', at },
  message: Message.fromJSON({ messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }] }),
};
const working: TaskEvent = { type: 'statusChanged', at, state: TaskState.TASK_STATE_WORKING };
const progress: TaskEvent = { type: 'progressReported', at, metadata: {} };

let server: RedisServer;
let redis: HostRedis;
let tasks: RedisTaskStore;
let key: TaskKey;
let count = 0;
const reported: unknown[] = [];
const opening = { clock: systemClock, report: (fault: unknown) => reported.push(fault), answerMs: 1_000 };
const create = () => tasks.create({ key, contextId: 'c', events: [submitted, working] });
const append = () => tasks.append(key, {}, [progress]);
const isAway = (error: unknown): boolean => error instanceof StorageUnavailableError && error.retryable;
const fault = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const back = () => until(async () => (await fault(redis.check())) === undefined, 'Redis');

beforeAll(async () => {
  server = await RedisServer.start();
  redis = await HostRedis.open(server.address, opening);
  tasks = new RedisTaskStore(redis);
});
afterAll(async () => {
  redis.close();
  await server.close();
});
beforeEach(async () => {
  count += 1;
  key = { application: 'app', user: 'alice', taskId: `task-${count}` };
  await back();
  await create();
});

it('what was answered is there after a server that was killed is back, and nothing by halves', async () => {
  const answered: number[] = [];
  const appending = (async () => {
    for (;;) {
      const answer = await append();
      if ('version' in answer) answered.push(answer.version);
      if (answered.length === 20) void server.kill();
    }
  })();
  expect(isAway(await fault(appending))).toBe(true);
  await server.kill();
  expect(isAway(await fault(append()))).toBe(true);
  await server.run();
  await back();
  const stored = await tasks.read(key);
  expect(stored?.version).toBeGreaterThanOrEqual(answered.at(-1)!);
  expect(await tasks.eventsAfter(key, 0)).toHaveLength(stored!.version);
  expect(await append()).toEqual({ version: stored!.version + 1 });
});

it('a server that stands still is not waited for, and a connection that it forgot is not used again', async () => {
  server.pause();
  const faults = await Promise.all([append(), tasks.read(key), tasks.list(key, { pageSize: 1 })].map(fault));
  expect(faults.map(isAway)).toEqual([true, true, true]);
  server.resume();
  await back();
  expect(await tasks.read(key)).toBeDefined();
});

it('followers are woken again once the server is back', async () => {
  const other = await HostRedis.open(server.address, opening);
  await server.kill();
  await server.run();
  await back();
  await until(async () => (await fault(other.check())) === undefined, 'Redis');
  const watch = new RedisTaskStore(other).watch(key);
  await until(
    async () => (await redis.ask((client) => client.pubsub('NUMSUB', 'duewatch-host:tasks')))[1] === 2,
    'both',
  );
  const woken = watch.next(new AbortController().signal);
  await append();
  await woken;
  watch.close();
  other.close();
});

it('a server without memory takes nothing, nothing by halves, and still says what it has', async () => {
  await server.command('CONFIG', 'SET', 'maxmemory', '1');
  try {
    const refused = await fault(append());
    expect([isAway(refused), String(refused)]).toEqual([true, expect.stringContaining('OOM')]);
    expect(isAway(await fault(redis.check()))).toBe(true);
    expect((await tasks.read(key))?.version).toBe(2);
  } finally {
    await server.command('CONFIG', 'SET', 'maxmemory', '0');
  }
  expect(await append()).toEqual({ version: 3 });
});

it('a replica takes nothing until it is the primary', async () => {
  await server.command('CONFIG', 'SET', 'replica-serve-stale-data', 'yes');
  await server.command('REPLICAOF', '127.0.0.1', '1');
  try {
    expect(isAway(await fault(append()))).toBe(true);
    expect(isAway(await fault(redis.check()))).toBe(true);
  } finally {
    await server.command('REPLICAOF', 'NO', 'ONE');
  }
  await back();
  expect(await append()).toEqual({ version: 3 });
});

it('scripts that the server has forgotten are sent to it again', async () => {
  await server.command('SCRIPT', 'FLUSH');
  expect(await append()).toEqual({ version: 3 });
});

describe('at the start', () => {
  const open = (address: Partial<RedisAddress> = {}): Promise<HostRedis> =>
    HostRedis.open({ ...server.address, ...address }, opening);

  it('a Redis that is not there is said to be, and by its place alone', async () => {
    const error = await fault(open({ port: 1, password: 'hunter2' }));
    expect(isAway(error)).toBe(true);
    expect(String(error)).toContain('Redis at 127.0.0.1:1 cannot be reached');
    expect(inspect(error, { depth: 10 })).not.toContain('hunter2');
  });

  it('a database that it does not have is not taken for its first', async () => {
    const error = await fault(open({ database: 99 }));
    expect([isAway(error), String((error as Error).cause)]).toEqual([true, expect.stringContaining('out of range')]);
  });

  it('one that refuses the credential says so, and not which it was', async () => {
    await server.command('ACL', 'SETUSER', 'agents', 'on', '>right', '~*', '&*', '+@all');
    const error = await fault(open({ username: 'agents', password: 'hunter2' }));
    expect(String((error as Error).cause)).toContain('WRONGPASS');
    expect(inspect(error, { depth: 10 })).not.toContain('hunter2');
    (await open({ username: 'agents', password: 'right' })).close();
  });

  it('one that lets go of any key is not used', async () => {
    await server.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    const error = await fault(open());
    await server.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
    expect(error).toMatchObject({ name: 'RedisUnfitError', retryable: false });
  });

  it('a user who may do no more than is needed is enough', async () => {
    const rights = ['+@read', '+@write', '+@scripting', '+@pubsub', '+@connection', '+time', '+info'];
    await server.command('ACL', 'SETUSER', 'least', 'on', '>x', '~duewatch-host:*', '&duewatch-host:*', ...rights);
    const least = await open({ username: 'least', password: 'x' });
    expect(await new RedisTaskStore(least).append(key, {}, [progress])).toEqual({ version: 3 });
    least.close();
  });

  it('one that would drop what it has on its way back is not', async () => {
    await server.command('ACL', 'SETUSER', 'agents', 'on', '>right', '~*', '&*', '+@all');
    await server.command('ACL', 'SETUSER', 'default', '-@all', '+acl');
    const error = await fault(open({ username: 'agents', password: 'right' }));
    await server.command('ACL', 'SETUSER', 'default', '+@all');
    expect(String(error)).toContain('RedisUnfitError: a restart of Redis may drop');
  });

  it('of one that keeps nothing on disk is warned', async () => {
    reported.length = 0;
    await server.command('CONFIG', 'SET', 'appendonly', 'no');
    (await open()).close();
    await server.command('CONFIG', 'SET', 'appendonly', 'yes');
    expect(reported).toEqual([expect.stringContaining('a restart of it loses all')]);
  });
});
