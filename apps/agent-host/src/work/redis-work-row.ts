// Queued work in Redis: a hash each, in one set at most, of what waits in its order, of what is held by the end of its lease, or
// of waits for somebody outside by when they are late. All that moves it between them is here, but for a claim.
import type { Json } from '#agent-handler';
import { named } from '../redis/named-values.ts';
import { keyOfMember, memberOf, waitKeys, workKeys } from '../redis/redis-keys.ts';
import { readsClock, redisScript } from '../redis/redis-script.ts';
import type { RedisStep } from '../redis/redis-step.ts';
import type { TaskKey } from '../store/task-store.ts';
import type { Claim, ClaimedWork } from './work-queue.ts';

/** `open`, while its turn goes on, and `external`, from then on, is what somebody outside is to end. */
export type RedisWorkStage = ClaimedWork['stage'] | 'open' | 'external';

export interface NewRow {
  readonly name: string;
  readonly stage: RedisWorkStage;
  /** Its place in the order. */
  readonly place: number;
  readonly state: Json;
  readonly askedBy: string;
  readonly payload?: Json;
  readonly tokenHash?: string;
}

/** What a claim answers with, behind the stage before it. */
export const claimedFields = ['name', 'state', 'askedBy', 'payload', 'result', 'place', 'epoch', 'isVoid'] as const;

// What nobody has said again goes back to its place first, as does what is late: it may be the oldest.
export const claimWork = redisScript(`${readsClock}
local waiting, held, late, prefix, owner = KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2]
for _, set in ipairs({held, late}) do
  local due = redis.call('ZRANGEBYSCORE', set, '-inf', string.format('%d', now), 'LIMIT', 0, 100)
  for _, member in ipairs(due) do
    redis.call('ZREM', set, member)
    redis.call('ZADD', waiting, redis.call('HGET', prefix .. member, 'place'), member)
    if set == late then redis.call('HSET', prefix .. member, 'stage', 'late') end
  end
end
local member = redis.call('ZRANGE', waiting, 0, 0)[1]
if not member then return false end
local key, instant = prefix .. member, string.format('%d', now + ARGV[3])
local stage = redis.call('HGET', key, 'stage')
redis.call('ZREM', waiting, member)
redis.call('ZADD', held, instant, member)
redis.call('HSET', key, 'owner', owner, 'leaseUntil', instant)
local epoch = redis.call('HINCRBY', key, 'epoch', 1)
if stage == 'waiting' then redis.call('HSET', key, 'stage', 'begun', 'begunEpoch', epoch) end
return {member, stage, redis.call('HMGET', key, unpack(ARGV, 4))}
`);

export function workKey(key: TaskKey): string {
  return `${workKeys(key.application).prefix}${memberOf(key)}`;
}

/** Throws where the task waits for something already. */
export async function writeNew(step: RedisStep, key: TaskKey, row: NewRow): Promise<void> {
  const { epoch } = await step.read(workKey(key), ['epoch']);
  if (epoch !== null) throw new Error('a task waits for one piece of work at a time');
  const { name, stage, place, state, askedBy, payload, tokenHash } = row;
  const kept = ['name', name, 'stage', stage, 'state', JSON.stringify(state), 'askedBy', askedBy, 'place', place];
  if (payload !== undefined) kept.push('payload', JSON.stringify(payload));
  if (tokenHash !== undefined) kept.push('tokenHash', tokenHash);
  step.write('HSET', workKey(key), ...kept, 'epoch', 0);
}

/** From here on anybody claims it. */
export function writeWaiting(step: RedisStep, key: TaskKey, place: number | string): void {
  const { late, waiting } = workKeys(key.application);
  step.write('ZREM', late, memberOf(key));
  step.write('ZADD', waiting, place, memberOf(key));
}

/** Nothing is left of it, but what a repeat is known by, where it was a wait. */
export function writeGone(step: RedisStep, key: TaskKey, tokenHash: string | null): void {
  const { held, late, waiting } = workKeys(key.application);
  step.write('DEL', workKey(key));
  for (const set of [waiting, held, late]) step.write('ZREM', set, memberOf(key));
  if (tokenHash === null) return;
  const { over, wait } = waitKeys(key.application);
  step.writeInstant(wait(tokenHash), 'overAt', 0, over, tokenHash);
}

/** As `claimWork` answers. */
export function toClaimed(application: string, answer: unknown): ClaimedWork {
  const [member, stage, values] = answer as [string, ClaimedWork['stage'], (string | null)[]];
  const { name, state, askedBy, payload, result, place, epoch, isVoid } = named(claimedFields, values);
  const read = (text: string | null): Json | undefined => (text === null ? undefined : (JSON.parse(text) as Json));
  return {
    ...{ key: keyOfMember(application, member), name: name ?? '', state: read(state) ?? null, askedBy: askedBy ?? '' },
    ...{
      stage,
      row: place ?? '',
      epoch: Number(epoch),
      isVoid: isVoid !== null,
      payload: read(payload),
      result: read(result),
    },
  };
}

/** Is the claim the last, by what is kept? */
export function isLast({ row, epoch }: Claim, kept: { readonly place: string | null; readonly epoch: string | null }) {
  return kept.place === row && kept.epoch === String(epoch);
}
