// One partition's snapshot, made in a thread of its own: its fold, and what it costs, is gone when it ends.
import { workerData } from 'node:worker_threads';
import { openPostgresEventLog, PostgresSnapshotStore } from '#event-log-postgres';
import { systemClock } from '#runtime';
import { makeSnapshot } from './snapshotting.ts';

/** What the thread is given. */
export interface SnapshotTask {
  readonly databaseUrl: string;
  readonly partitionCount: number;
  readonly partition: number;
}

const { databaseUrl, partitionCount, partition } = workerData as SnapshotTask;
const log = await openPostgresEventLog({ databaseUrl, partitionCount, connectionCount: 2, clock: systemClock });
const store = new PostgresSnapshotStore(databaseUrl);
try {
  await makeSnapshot(log, store, partition, new AbortController().signal);
} finally {
  await store.close();
  await log.close();
}
