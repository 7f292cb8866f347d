import { describeLettingGo } from '../../../../test/agent-host/store-contracts/describe-letting-go.ts';
import { openRedis } from '../../../../test/agent-host/store-contracts/opened-redis.ts';
import { RedisSessionStore } from './redis-session-store.ts';
import { RedisTaskStore } from './redis-task-store.ts';

describeLettingGo('Redis', async () => {
  const { redis, close } = await openRedis();
  const age = (byMs: number): Promise<void> =>
    redis.ask(async (client) => {
      for (const set of await client.keys('*}:session')) {
        for (const member of await client.zrange(set, 0, -1)) {
          await client.hincrby(`${set}:${member}`, 'usedAt', -byMs);
          await client.zincrby(set, -byMs, member);
        }
      }
    });
  return { store: new RedisTaskStore(redis), sessions: new RedisSessionStore(redis), age, close };
});
