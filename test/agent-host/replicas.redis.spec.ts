import { RedisServer } from '#testing';
import { describeReplicas } from './describe-replicas.ts';

describeReplicas('redis', async () => {
  const server = await RedisServer.start();
  return { environment: { DUEWATCH_REDIS_URL: server.url }, close: () => server.close() };
});
