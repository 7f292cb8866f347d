// One partition's snapshot, made in a thread of its own: its fold, and what it costs, is gone when it ends.
import { workerData } from 'node:worker_threads';
import { type LogAddress, openLogAt } from './log-address.ts';
import { makeSnapshot } from './snapshotting.ts';

/** What the thread is given. */
export interface SnapshotTask {
  readonly address: LogAddress;
  readonly partition: number;
}

const { address, partition } = workerData as SnapshotTask;
const atHand = await openLogAt(address);
try {
  await makeSnapshot(atHand.log, atHand.snapshots, partition, new AbortController().signal);
} finally {
  await atHand.close();
}
