import { systemClock } from '#runtime';
import { createDatabase } from '#testing';
import { describeWorkQueue } from '../../../../test/agent-host/store-contracts/describe-work-queue.ts';
import { openHostDatabase } from '../store/host-database.ts';
import { MemoryWorkQueue } from './memory-work-queue.ts';
import { PostgresWorkQueue } from './postgres-work-queue.ts';

describeWorkQueue('memory', async () => ({ queue: new MemoryWorkQueue(systemClock), close: async () => undefined }));

describeWorkQueue('PostgreSQL', async () => {
  const test = await createDatabase();
  const database = await openHostDatabase(test.url);
  const close = async (): Promise<void> => {
    await database.destroy();
    await test.drop();
  };
  return { queue: new PostgresWorkQueue(database), close };
});
