import { systemClock } from '#runtime';
import { RedisServer } from '#testing';
import { describeSessionStore } from '../../../../test/agent-host/store-contracts/describe-session-store.ts';
import { HostRedis } from '../redis/host-redis.ts';
import { RedisSessionStore } from './redis-session-store.ts';

describeSessionStore('Redis', async () => {
  const server = await RedisServer.start();
  const redis = await HostRedis.open(server.address, { clock: systemClock, report: () => undefined });
  const close = async (): Promise<void> => {
    redis.close();
    await server.close();
  };
  return { sessions: new RedisSessionStore(redis), close };
});
