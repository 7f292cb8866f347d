import { CredentialSeal, systemClock } from '#runtime';
import { createDatabase } from '#testing';
import { describePushConfigs } from '../../../../test/agent-host/store-contracts/describe-push-configs.ts';
import { openHostStores } from '../store/host-stores.ts';

describePushConfigs('PostgreSQL', async () => {
  const database = await createDatabase();
  const { tasks, push, close } = await openHostStores({
    ...{ places: { tasks: 'postgres', sessions: 'memory' }, databaseUrl: database.url, clock: systemClock },
    ...{ seal: new CredentialSeal(Buffer.alloc(32, 7)), report: () => undefined },
  });
  const end = async (): Promise<void> => {
    await close();
    await database.drop();
  };
  return { tasks, push: push!, close: end };
});
