import { describeExternalWaits } from '../../../../test/agent-host/store-contracts/describe-external-waits.ts';
import { openRedis } from '../../../../test/agent-host/store-contracts/opened-redis.ts';
import { RedisWorkQueue } from './redis-work-queue.ts';

describeExternalWaits('Redis', async () => {
  const { redis, close } = await openRedis();
  return { queue: new RedisWorkQueue(redis), close };
});
