import { describeSessionStore } from '../../../../test/agent-host/store-contracts/describe-session-store.ts';
import { openRedis } from '../../../../test/agent-host/store-contracts/opened-redis.ts';
import { RedisSessionStore } from './redis-session-store.ts';

describeSessionStore('Redis', async () => {
  const { redis, close } = await openRedis();
  return { sessions: new RedisSessionStore(redis), close };
});
