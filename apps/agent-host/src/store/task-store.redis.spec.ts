import { systemClock } from '#runtime';
import { RedisServer } from '#testing';
import { describeTaskStore } from '../../../../test/agent-host/store-contracts/describe-task-store.ts';
import { HostRedis } from '../redis/host-redis.ts';
import { RedisTaskStore } from './redis-task-store.ts';

describeTaskStore('Redis', async () => {
  const server = await RedisServer.start();
  const opening = { clock: systemClock, report: () => undefined };
  const [here, there] = await Promise.all([
    HostRedis.open(server.address, opening),
    HostRedis.open(server.address, opening),
  ]);
  const close = async (): Promise<void> => {
    here.close();
    there.close();
    await server.close();
  };
  return { store: new RedisTaskStore(here), other: new RedisTaskStore(there), close };
});
