// Waits in Redis that somebody outside ends. A wait is a piece of work that nobody does, and a hash by its token's hash that
// outlives it, by which a repeat is known: it is in a set from when nobody waits any more, and so is let go of.
import type { Json } from '#agent-handler';
import type { HostRedis } from '../redis/host-redis.ts';
import { keyOfMember, memberOf, waitKeys, workKeys } from '../redis/redis-keys.ts';
import { elapsed } from '../redis/redis-leases.ts';
import type { TaskKey } from '../store/task-store.ts';
import { workKey, writeNew, writeWaiting } from './redis-work-row.ts';
import type { EndedWait, NewWait, NewWork } from './work-queue.ts';

export class RedisWaits {
  constructor(private readonly redis: HostRedis) {}

  open(key: TaskKey, { name, tokenHash, forMs }: NewWait, place: number): Promise<void> {
    return this.redis.inStep(async (step) => {
      await writeNew(step, key, { name, stage: 'open', place, state: null, askedBy: '', tokenHash });
      if (forMs !== undefined) step.writeInstant(workKey(key), 'lateAt', forMs);
      step.write('HSET', waitKeys(key.application).wait(tokenHash), 'member', memberOf(key));
    });
  }

  waitFor(key: TaskKey, tokenHash: string, { state, askedBy }: Pick<NewWork, 'state' | 'askedBy'>): Promise<boolean> {
    return this.redis.inStep(async (step) => {
      const fields = ['tokenHash', 'stage', 'isVoid', 'result', 'lateAt', 'place'] as const;
      const kept = await step.read(workKey(key), fields);
      if (kept.tokenHash !== tokenHash || kept.stage !== 'open' || kept.isVoid !== null) return false;
      const stage = kept.result === null ? 'external' : 'done';
      step.write('HSET', workKey(key), 'state', JSON.stringify(state), 'askedBy', askedBy, 'stage', stage);
      if (stage === 'done') writeWaiting(step, key, kept.place ?? 0);
      else if (kept.lateAt !== null) step.write('ZADD', workKeys(key.application).late, kept.lateAt, memberOf(key));
      return true;
    });
  }

  end(application: string, tokenHash: string, result: Json): Promise<EndedWait> {
    const waitKey = waitKeys(application).wait(tokenHash);
    return this.redis.inStep(async (step): Promise<EndedWait> => {
      const { member, isEnded } = await step.read(waitKey, ['member', 'isEnded']);
      if (member === null) return 'unknown';
      if (isEnded !== null) return 'repeated';
      const key = keyOfMember(application, member);
      const kept = await step.read(workKey(key), ['tokenHash', 'stage', 'isVoid', 'place']);
      const isOutside = kept.stage === 'open' || kept.stage === 'external';
      if (kept.tokenHash !== tokenHash || !isOutside || kept.isVoid !== null) {
        // Another may have ended it between the two looks.
        return (await step.look(waitKey, ['isEnded'])).isEnded === null ? 'over' : 'repeated';
      }
      step.write('HSET', workKey(key), 'result', JSON.stringify(result));
      step.write('HSET', waitKey, 'isEnded', 1);
      if (kept.stage === 'external') {
        step.write('HSET', workKey(key), 'stage', 'done');
        writeWaiting(step, key, kept.place ?? 0);
      }
      return 'ended';
    });
  }

  async letGo(application: string, overForMs: number, mostCount: number): Promise<number> {
    const { over, wait } = waitKeys(application);
    let gone = 0;
    for (const tokenHash of await elapsed(this.redis, over, overForMs, mostCount)) {
      gone += await this.redis.inStep(async (step) => {
        if ((await step.read(wait(tokenHash), ['member'])).member === null) return 0;
        step.write('DEL', wait(tokenHash));
        step.write('ZREM', over, tokenHash);
        return 1;
      });
    }
    return gone;
  }
}
