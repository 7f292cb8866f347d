// Makes a partition's snapshot from the last one and the ledger since: beside whoever decides, never holding it.
import type { EventLog, SnapshotStore } from '#event-log';
import { encodePartition } from './partition-snapshot.ts';
import { recover } from './recovery.ts';

/** A start folds so many records of the ledger in about a second; only beyond is a snapshot worth making. */
const RECORDS_WORTH_A_SNAPSHOT = 2_000;

export async function isWorthASnapshot(log: EventLog, store: SnapshotStore, partition: number): Promise<boolean> {
  const earlier = (await store.load(partition))?.ledgerOffset ?? -1;
  const { end } = await log.bounds('ledger', partition);
  return end - 1 - earlier >= RECORDS_WORTH_A_SNAPSHOT;
}

/** Throws what the log or the store throws; the earlier snapshot is then still there. */
export async function makeSnapshot(
  log: EventLog,
  store: SnapshotStore,
  partition: number,
  signal: AbortSignal,
): Promise<void> {
  const { decider, completeOffset } = await recover({ log, snapshots: store, partition }, signal);
  if (!signal.aborted) await store.save(partition, completeOffset, encodePartition(decider));
}
