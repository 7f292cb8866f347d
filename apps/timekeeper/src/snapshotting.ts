// Makes a partition's snapshot from the last one and the ledger since: beside whoever decides, never holding it.
import type { EventLog, SnapshotStore } from '#event-log';
import { encodePartition } from './partition-snapshot.ts';
import { recover } from './recovery.ts';

/** A start folds so many events in less than half a second: only beyond is a snapshot worth making. */
const EVENTS_WORTH_A_SNAPSHOT = 20_000;
/** It costs what is open: it is made where at least one event for so many open expectations has come since the last. */
const OPEN_AN_EVENT = 5;

export function isWorthASnapshot(eventCount: number, openCount: number): boolean {
  return eventCount >= Math.max(EVENTS_WORTH_A_SNAPSHOT, openCount / OPEN_AN_EVENT);
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
