import { describeWorkQueue } from '../../../../test/agent-host/store-contracts/describe-work-queue.ts';
import { openRedis } from '../../../../test/agent-host/store-contracts/opened-redis.ts';
import { RedisWorkQueue } from './redis-work-queue.ts';

describeWorkQueue('Redis', async () => {
  const { redis, close } = await openRedis();
  return { queue: new RedisWorkQueue(redis), close };
});
