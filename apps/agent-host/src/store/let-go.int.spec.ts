import { systemClock } from '#runtime';
import { createDatabase } from '#testing';
import { describeLettingGo } from '../../../../test/agent-host/store-contracts/describe-letting-go.ts';
import { openHostDatabase } from './host-database.ts';
import { HostNotifications } from './host-notifications.ts';
import { MemorySessionStore } from './memory-session-store.ts';
import { MemoryTaskStore } from './memory-task-store.ts';
import { PostgresSessionStore } from './postgres-session-store.ts';
import { PostgresTaskStore } from './postgres-task-store.ts';

describeLettingGo('memory', async () => {
  let aheadMs = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  return {
    store: new MemoryTaskStore(systemClock),
    sessions: new MemorySessionStore(undefined, clock),
    age: async (byMs) => void (aheadMs += byMs),
    close: async () => undefined,
  };
});

describeLettingGo('PostgreSQL', async () => {
  const test = await createDatabase();
  const database = await openHostDatabase(test.url);
  const notifications = new HostNotifications(database, test.url, systemClock, () => undefined);
  return {
    store: new PostgresTaskStore(database, notifications),
    sessions: new PostgresSessionStore(database),
    age: async (byMs) => {
      await database.query(`UPDATE duewatch_host.session SET used_at = used_at - $1 * interval '1 ms'`, [byMs]);
    },
    close: async () => {
      await database.destroy();
      await test.drop();
    },
  };
});
