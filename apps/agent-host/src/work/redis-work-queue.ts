// Queued work in Redis, for any number of processes: claimed by one script, leased by the server's clock.
import type { Json } from '#agent-handler';
import type { HostRedis } from '../redis/host-redis.ts';
import { keyOfMember, memberOf, workKeys } from '../redis/redis-keys.ts';
import { renewOwn } from '../redis/redis-leases.ts';
import type { Lease, TaskKey } from '../store/task-store.ts';
import { RedisWaits } from './redis-waits.ts';
import {
  claimedFields,
  claimWork,
  isLast,
  toClaimed,
  workKey,
  writeGone,
  writeNew,
  writeWaiting,
} from './redis-work-row.ts';
import type { Claim, ClaimedWork, EndedWait, NewWait, NewWork, WorkQueue } from './work-queue.ts';

export class RedisWorkQueue implements WorkQueue {
  private readonly waits: RedisWaits;

  constructor(private readonly redis: HostRedis) {
    this.waits = new RedisWaits(redis);
  }

  async enqueue(key: TaskKey, work: NewWork): Promise<void> {
    const place = await this.nextPlace(key.application);
    await this.redis.inStep(async (step) => {
      await writeNew(step, key, { ...work, stage: 'waiting', place });
      writeWaiting(step, key, place);
    });
  }

  async claim(application: string, { owner, leaseMs }: Lease): Promise<ClaimedWork | undefined> {
    const { held, late, prefix, waiting } = workKeys(application);
    const parameters = [prefix, owner, leaseMs, ...claimedFields];
    const claimed = await this.redis.run(claimWork, [waiting, held, late], parameters);
    return claimed === null ? undefined : toClaimed(application, claimed);
  }

  async renew(application: string, lease: Lease, keys: readonly TaskKey[]): Promise<readonly TaskKey[]> {
    const { held: set, prefix } = workKeys(application);
    const members = keys.filter((key) => key.application === application).map(memberOf);
    const leases = { set, keyOf: (member: string) => `${prefix}${member}` };
    const own = await renewOwn(this.redis, leases, lease, members, ['isVoid']);
    return own.filter(([, { isVoid }]) => isVoid !== null).map(([member]) => keyOfMember(application, member));
  }

  finish(claim: Claim, result: Json): Promise<boolean> {
    const { key } = claim;
    return this.redis.inStep(async (step) => {
      const kept = await step.read(workKey(key), ['place', 'epoch', 'isVoid']);
      if (!isLast(claim, kept) || kept.isVoid !== null) return false;
      step.write('HDEL', workKey(key), 'payload');
      step.write('HSET', workKey(key), 'result', JSON.stringify(result), 'stage', 'done');
      return true;
    });
  }

  passOn(claim: Claim, forMs: number): Promise<boolean> {
    const { key } = claim;
    return this.redis.inStep(async (step) => {
      const kept = await step.read(workKey(key), ['place', 'epoch', 'begunEpoch', 'stage', 'isVoid']);
      if (!isLast(claim, kept) || kept.isVoid !== null) return false;
      if (kept.stage === 'begun' && kept.begunEpoch === kept.epoch)
        step.write('HSET', workKey(key), 'stage', 'waiting');
      step.write('HDEL', workKey(key), 'owner');
      step.writeInstant(workKey(key), 'leaseUntil', forMs, workKeys(key.application).held, memberOf(key));
      return true;
    });
  }

  remove(claim: Claim): Promise<boolean> {
    const { key } = claim;
    return this.redis.inStep(async (step) => {
      const kept = await step.read(workKey(key), ['place', 'epoch', 'tokenHash']);
      if (!isLast(claim, kept)) return false;
      writeGone(step, key, kept.tokenHash);
      return true;
    });
  }

  void(key: TaskKey): Promise<'gone' | 'begun'> {
    return this.redis.inStep(async (step) => {
      // The clock first: a lease that is over by then is so for good, unless somebody has written it since.
      const now = await this.redis.now();
      const kept = await step.read(workKey(key), ['epoch', 'owner', 'leaseUntil', 'tokenHash']);
      if (kept.epoch === null) return 'gone';
      if (kept.owner !== null && Number(kept.leaseUntil) > now) {
        step.write('HSET', workKey(key), 'isVoid', 1);
        return 'begun';
      }
      writeGone(step, key, kept.tokenHash);
      return 'gone';
    });
  }

  async openWait(key: TaskKey, wait: NewWait): Promise<void> {
    await this.waits.open(key, wait, await this.nextPlace(key.application));
  }

  waitFor(key: TaskKey, tokenHash: string, waiting: Pick<NewWork, 'state' | 'askedBy'>): Promise<boolean> {
    return this.waits.waitFor(key, tokenHash, waiting);
  }

  endWait(application: string, tokenHash: string, result: Json): Promise<EndedWait> {
    return this.waits.end(application, tokenHash, result);
  }

  letGo(application: string, overForMs: number, mostCount: number): Promise<number> {
    return this.waits.letGo(application, overForMs, mostCount);
  }

  private nextPlace(application: string): Promise<number> {
    return this.redis.ask((client) => client.incr(workKeys(application).count));
  }
}
