import { Redis } from 'ioredis';
import { RedisServer } from '#testing';
import { describeRemindersOfReplicas } from './describe-reminders-replicas.ts';

describeRemindersOfReplicas('Redis', async () => {
  const server = await RedisServer.start();
  const client = new Redis(server.port, '127.0.0.1');
  const tag = 'duewatch-host:{"Tested agent"}:';
  return {
    serve: { places: { tasks: 'redis', sessions: 'memory', work: 'redis' }, redis: server.address },
    isContextKept: async (contextId) => (await client.keys(`${tag}context:*${contextId}*`)).length > 0,
    abandon: async (taskId) => {
      await client.hset(`${tag}task:"":${taskId}`, { owner: 'gone', leaseUntil: 0 });
      await client.zadd(`${tag}leases`, 0, JSON.stringify(['', taskId]));
    },
    close: async () => {
      client.disconnect();
      await server.close();
    },
  };
});
