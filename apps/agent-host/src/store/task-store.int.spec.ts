import { systemClock } from '#runtime';
import { createDatabase } from '#testing';
import { describeTaskStore } from '../../../../test/agent-host/store-contracts/describe-task-store.ts';
import { openHostDatabase } from './host-database.ts';
import { HostNotifications } from './host-notifications.ts';
import { MemoryTaskStore } from './memory-task-store.ts';
import { PostgresTaskStore } from './postgres-task-store.ts';

describeTaskStore('memory', async () => {
  const store = new MemoryTaskStore(systemClock);
  return { store, other: store, close: async () => undefined };
});

describeTaskStore('PostgreSQL', async () => {
  const test = await createDatabase();
  const open = async () => {
    const database = await openHostDatabase(test.url);
    const notifications = new HostNotifications(database, test.url, systemClock, () => undefined);
    notifications.start();
    return { database, notifications, store: new PostgresTaskStore(database, notifications) };
  };
  const opened = await Promise.all([open(), open()]);
  const close = async (): Promise<void> => {
    for (const { database, notifications } of opened) {
      await notifications.stop();
      await database.destroy();
    }
    await test.drop();
  };
  return { store: opened[0].store, other: opened[1].store, close };
});
