import { createDatabase } from '#testing';
import { describeSessionStore } from '../../../../test/agent-host/store-contracts/describe-session-store.ts';
import { openHostDatabase } from './host-database.ts';
import { MemorySessionStore } from './memory-session-store.ts';
import { PostgresSessionStore } from './postgres-session-store.ts';

describeSessionStore('memory', async () => ({ sessions: new MemorySessionStore(), close: async () => undefined }));

describeSessionStore('PostgreSQL', async () => {
  const test = await createDatabase();
  const database = await openHostDatabase(test.url);
  const close = async (): Promise<void> => {
    await database.destroy();
    await test.drop();
  };
  return { sessions: new PostgresSessionStore(database), close };
});
