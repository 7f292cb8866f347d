import { Redis } from 'ioredis';
import { RedisServer } from '#testing';
import { describeExternalWaiting } from './describe-external-waiting.ts';

describeExternalWaiting('Redis', async () => {
  const server = await RedisServer.start();
  const client = new Redis(server.port, '127.0.0.1');
  return {
    serve: { places: { tasks: 'redis', sessions: 'redis', work: 'redis' }, redis: server.address },
    kept: async () => {
      const keys = [...(await client.keys('*}:work:*')), ...(await client.keys('*}:wait:*'))];
      return JSON.stringify([keys, await Promise.all(keys.map((key) => client.hgetall(key)))]);
    },
    close: async () => {
      client.disconnect();
      await server.close();
    },
  };
});
