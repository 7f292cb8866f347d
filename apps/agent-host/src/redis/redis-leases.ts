// Leases in Redis, by the server's clock: of runs and of claimed work alike a hash has `owner` and `leaseUntil`, and a set the
// ends of all leases.
import type { Lease } from '../store/task-store.ts';
import { named } from './named-values.ts';
import type { HostRedis } from './host-redis.ts';
import { readsClock, redisScript } from './redis-script.ts';

const renewLeases = redisScript(`${readsClock}
local leases, owner, instant = KEYS[1], ARGV[1], string.format('%d', now + ARGV[2])
local fields = tonumber(ARGV[3])
local own = {}
for at = 4 + fields, #ARGV, 2 do
  local key, member = ARGV[at], ARGV[at + 1]
  if redis.call('HGET', key, 'owner') == owner then
    redis.call('HSET', key, 'leaseUntil', instant)
    redis.call('ZADD', leases, instant, member)
    own[#own + 1] = {member, unpack(redis.call('HMGET', key, unpack(ARGV, 4, 3 + fields)))}
  end
end
return own
`);

const findElapsed = redisScript(`${readsClock}
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%d', now - ARGV[1]), 'LIMIT', ARGV[2], ARGV[3])
`);

/** So many at once: no other waits for long. */
const atOnce = 200;

export interface LeasesOf {
  /** The set of their ends. */
  readonly set: string;
  readonly keyOf: (member: string) => string;
}

/** Extends what is the owner's, and answers with the members that are, each with these fields of its hash. */
export async function renewOwn<Field extends string>(
  redis: HostRedis,
  { set, keyOf }: LeasesOf,
  { owner, leaseMs }: Lease,
  members: readonly string[],
  fields: readonly Field[],
): Promise<readonly (readonly [string, Record<Field, string | null>])[]> {
  const own: [string, Record<Field, string | null>][] = [];
  for (let at = 0; at < members.length; at += atOnce) {
    const some = members.slice(at, at + atOnce).flatMap((member) => [keyOf(member), member]);
    const rows = (await redis.run(renewLeases, [set], [owner, leaseMs, fields.length, ...fields, ...some])) as [
      string,
      ...(string | null)[],
    ][];
    for (const [member, ...values] of rows) own.push([member, named(fields, values)]);
  }
  return own;
}

/** The members of a set whose instant is so long ago, the oldest first, so many from the `skip`ped on. */
export async function elapsed(
  redis: HostRedis,
  set: string,
  agoMs: number,
  mostCount: number,
  skip = 0,
): Promise<readonly string[]> {
  return (await redis.run(findElapsed, [set], [agoMs, skip, mostCount])) as string[];
}
