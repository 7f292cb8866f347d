import { CredentialSeal, systemClock } from '#runtime';
import { RedisServer } from '#testing';
import { describePushConfigs } from '../../../../test/agent-host/store-contracts/describe-push-configs.ts';
import { openHostStores } from '../store/host-stores.ts';

describePushConfigs('Redis', async () => {
  const server = await RedisServer.start();
  const { tasks, push, close } = await openHostStores({
    ...{ places: { tasks: 'redis', sessions: 'memory' }, databaseUrl: undefined, redis: server.address },
    ...{ clock: systemClock, seal: new CredentialSeal(Buffer.alloc(32, 7)), report: () => undefined },
  });
  const end = async (): Promise<void> => {
    await close();
    await server.close();
  };
  return { tasks, push: push!, close: end };
});
