// Snapshots in PostgreSQL keep the contract of all stores.
import { systemClock } from '#runtime';
import { createDatabase, describeSnapshotStore } from '#testing';
import { openPostgresEventLog } from './open.ts';
import { PostgresSnapshotStore } from './postgres-snapshot-store.ts';

describeSnapshotStore('snapshots in PostgreSQL', async () => {
  const database = await createDatabase();
  const options = { databaseUrl: database.url, partitionCount: 5, clock: systemClock, unsafeForTests: true };
  const log = await openPostgresEventLog(options);
  const store = new PostgresSnapshotStore(database.url);
  return {
    store,
    close: async () => {
      await store.close();
      await log.close();
      await database.drop();
    },
  };
});
