// Sessions in Redis, for any number of processes.
import type { Json } from '#agent-handler';
import type { HostRedis } from '../redis/host-redis.ts';
import { sessionKey, sessionsKey } from '../redis/redis-keys.ts';
import { elapsed } from '../redis/redis-leases.ts';
import type { RedisStep } from '../redis/redis-step.ts';
import type { KeptSession, SessionKey, SessionStore } from './session-store.ts';

/** Of reads one is noted in so long. */
const noteEveryMs = 3_600_000;

export class RedisSessionStore implements SessionStore {
  constructor(private readonly redis: HostRedis) {}

  read(key: SessionKey): Promise<KeptSession | undefined> {
    return this.redis.inStep(async (step) => {
      const now = await this.redis.now();
      const { version, value, usedAt } = await step.look(sessionKey(key), ['version', 'value', 'usedAt']);
      if (version === null || value === null) return undefined;
      if (Number(usedAt) < now - noteEveryMs) {
        step.guard(sessionKey(key), 'version', version);
        writeUse(step, key);
      }
      return { value: JSON.parse(value) as Json, version: Number(version) };
    });
  }

  write(key: SessionKey, version: number, value: Json): Promise<boolean> {
    return this.redis.inStep(async (step) => {
      const kept = await step.read(sessionKey(key), ['version']);
      if (Number(kept.version) !== version) return false;
      step.write('HSET', sessionKey(key), 'version', version + 1, 'value', JSON.stringify(value));
      writeUse(step, key);
      return true;
    });
  }

  /** Removes sessions that nobody has read or written for so long, so many at most; how many. */
  async letGo(application: string, unusedForMs: number, mostCount: number): Promise<number> {
    const members = await elapsed(this.redis, sessionsKey(application), unusedForMs, mostCount);
    let gone = 0;
    for (const member of members) {
      const [user, contextId] = JSON.parse(member) as [string, string];
      const key = { application, user, contextId };
      gone += await this.redis.inStep(async (step) => {
        const now = await this.redis.now();
        const { usedAt } = await step.read(sessionKey(key), ['usedAt']);
        if (usedAt === null || Number(usedAt) > now - unusedForMs) return 0;
        step.write('DEL', sessionKey(key));
        step.write('ZREM', sessionsKey(application), member);
        return 1;
      });
    }
    return gone;
  }
}

function writeUse(step: RedisStep, key: SessionKey): void {
  const member = JSON.stringify([key.user, key.contextId]);
  step.writeInstant(sessionKey(key), 'usedAt', 0, sessionsKey(key.application), member);
}
