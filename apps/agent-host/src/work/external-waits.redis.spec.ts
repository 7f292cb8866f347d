import { systemClock } from '#runtime';
import { RedisServer } from '#testing';
import { describeExternalWaits } from '../../../../test/agent-host/store-contracts/describe-external-waits.ts';
import { HostRedis } from '../redis/host-redis.ts';
import { RedisWorkQueue } from './redis-work-queue.ts';

describeExternalWaits('Redis', async () => {
  const server = await RedisServer.start();
  const redis = await HostRedis.open(server.address, { clock: systemClock, report: () => undefined });
  const close = async (): Promise<void> => {
    redis.close();
    await server.close();
  };
  return { queue: new RedisWorkQueue(redis), close };
});
