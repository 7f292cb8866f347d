import { systemClock } from '#runtime';
import { RedisServer } from '#testing';
import { describeLettingGo } from '../../../../test/agent-host/store-contracts/describe-letting-go.ts';
import { HostRedis } from '../redis/host-redis.ts';
import { RedisSessionStore } from './redis-session-store.ts';
import { RedisTaskStore } from './redis-task-store.ts';

describeLettingGo('Redis', async () => {
  const server = await RedisServer.start();
  const redis = await HostRedis.open(server.address, { clock: systemClock, report: () => undefined });
  const age = (byMs: number): Promise<void> =>
    redis.ask(async (client) => {
      for (const set of await client.keys('*}:session')) {
        for (const member of await client.zrange(set, 0, -1)) {
          await client.hincrby(`${set}:${member}`, 'usedAt', -byMs);
          await client.zincrby(set, -byMs, member);
        }
      }
    });
  const close = async (): Promise<void> => {
    redis.close();
    await server.close();
  };
  return { store: new RedisTaskStore(redis), sessions: new RedisSessionStore(redis), age, close };
});
