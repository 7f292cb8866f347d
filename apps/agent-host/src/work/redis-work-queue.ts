// Queued work in Redis, for any number of processes: two sets, of what waits in its order, and of what is held by the end of
// its lease, by the server's clock.
import type { Json } from '#agent-handler';
import type { HostRedis } from '../redis/host-redis.ts';
import { keyOfMember, memberOf, workKeys } from '../redis/redis-keys.ts';
import { renewOwn } from '../redis/redis-leases.ts';
import { readsClock, redisScript } from '../redis/redis-script.ts';
import type { RedisStep } from '../redis/redis-step.ts';
import type { Lease, TaskKey } from '../store/task-store.ts';
import type { ClaimedWork, NewWork, WorkQueue } from './work-queue.ts';

const fields = ['name', 'state', 'askedBy', 'payload', 'result', 'epoch', 'isVoid'] as const;

// What nobody has said again goes back to its place first: it may be the oldest.
const claimWork = redisScript(`${readsClock}
local waiting, held, prefix, owner = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
local over = redis.call('ZRANGEBYSCORE', held, '-inf', string.format('%d', now), 'LIMIT', 0, 100)
for _, member in ipairs(over) do
  redis.call('ZREM', held, member)
  redis.call('ZADD', waiting, redis.call('HGET', prefix .. member, 'place'), member)
end
local member = redis.call('ZRANGE', waiting, 0, 0)[1]
if not member then return false end
local key, instant = prefix .. member, string.format('%d', now + ARGV[3])
redis.call('ZREM', waiting, member)
redis.call('ZADD', held, instant, member)
redis.call('HSET', key, 'owner', owner, 'leaseUntil', instant)
redis.call('HINCRBY', key, 'epoch', 1)
return {member, redis.call('HMGET', key, unpack(ARGV, 4))}
`);

export class RedisWorkQueue implements WorkQueue {
  constructor(private readonly redis: HostRedis) {}

  async enqueue(key: TaskKey, { name, payload, state, askedBy }: NewWork): Promise<void> {
    const { count, waiting } = workKeys(key.application);
    const place = await this.redis.ask((client) => client.incr(count));
    await this.redis.inStep(async (step) => {
      const { epoch } = await step.read(workKey(key), ['epoch']);
      if (epoch !== null) throw new Error('a task waits for one piece of work at a time');
      const kept = ['name', name, 'payload', JSON.stringify(payload), 'state', JSON.stringify(state)];
      step.write('HSET', workKey(key), ...kept, 'askedBy', askedBy, 'place', place, 'epoch', 0);
      step.write('ZADD', waiting, place, memberOf(key));
    });
  }

  async claim(application: string, { owner, leaseMs }: Lease): Promise<ClaimedWork | undefined> {
    const { held, prefix, waiting } = workKeys(application);
    const claimed = await this.redis.run(claimWork, [waiting, held], [prefix, owner, leaseMs, ...fields]);
    if (claimed === null) return undefined;
    const [member, values] = claimed as [string, (string | null)[]];
    return toClaimed(keyOfMember(application, member), values);
  }

  async renew(application: string, lease: Lease, keys: readonly TaskKey[]): Promise<readonly TaskKey[]> {
    const { held: set, prefix } = workKeys(application);
    const members = keys.filter((key) => key.application === application).map(memberOf);
    const leases = { set, keyOf: (member: string) => `${prefix}${member}` };
    const own = await renewOwn(this.redis, leases, lease, members, ['isVoid']);
    return own.filter(([, { isVoid }]) => isVoid !== null).map(([member]) => keyOfMember(application, member));
  }

  finish(key: TaskKey, epoch: number, result: Json): Promise<boolean> {
    return this.redis.inStep(async (step) => {
      const kept = await step.read(workKey(key), ['epoch', 'isVoid']);
      if (kept.epoch !== String(epoch) || kept.isVoid !== null) return false;
      step.write('HDEL', workKey(key), 'payload');
      step.write('HSET', workKey(key), 'result', JSON.stringify(result));
      return true;
    });
  }

  remove(key: TaskKey, epoch: number): Promise<boolean> {
    return this.redis.inStep(async (step) => {
      const kept = await step.read(workKey(key), ['epoch']);
      if (kept.epoch !== String(epoch)) return false;
      writeGone(step, key);
      return true;
    });
  }

  void(key: TaskKey): Promise<'gone' | 'begun'> {
    return this.redis.inStep(async (step) => {
      // The clock first: a lease that is over by then is so for good, unless somebody has written it since.
      const now = await this.redis.now();
      const { epoch, owner, leaseUntil } = await step.read(workKey(key), ['epoch', 'owner', 'leaseUntil']);
      if (epoch === null) return 'gone';
      if (owner !== null && Number(leaseUntil) > now) {
        step.write('HSET', workKey(key), 'isVoid', 1);
        return 'begun';
      }
      writeGone(step, key);
      return 'gone';
    });
  }
}

function workKey(key: TaskKey): string {
  return `${workKeys(key.application).prefix}${memberOf(key)}`;
}

function writeGone(step: RedisStep, key: TaskKey): void {
  const { held, waiting } = workKeys(key.application);
  step.write('DEL', workKey(key));
  for (const set of [waiting, held]) step.write('ZREM', set, memberOf(key));
}

function toClaimed(key: TaskKey, values: readonly (string | null)[]): ClaimedWork {
  const [name, state, askedBy, payload, result, epoch, isVoid] = values;
  const read = (text: string | null | undefined): Json | undefined =>
    text == null ? undefined : (JSON.parse(text) as Json);
  const isFirst = epoch === '1';
  return {
    ...{ key, name: name ?? '', state: read(state) ?? null, askedBy: askedBy ?? '', epoch: Number(epoch) },
    ...{ payload: read(payload), result: read(result), isVoid: isVoid != null },
    stage: result != null ? 'done' : isFirst ? 'waiting' : 'begun',
  };
}
