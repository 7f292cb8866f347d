// A partition's memory from its ledger: folded to the last complete input. What an incomplete one has written is kept
// aside: the input is decided again, and must say the same.
import { Logger } from '@nestjs/common';
import { decodeLedger, type EventLog, LogUnavailableError, type PartitionEntry, type SnapshotStore } from '#event-log';
import { BegunOutput } from './begun-output.ts';
import type { Core } from './core.ts';
import { PartitionDecider } from './partition-decider.ts';
import { decodePartition } from './partition-snapshot.ts';
import { PartitionUnusableError } from './partition-unusable-error.ts';

const RECORDS_A_READ = 500;

export interface Recovered {
  readonly decider: PartitionDecider;
  /** What is already written of an input that is not decided to its end. */
  readonly begun: BegunOutput;
  /** The last ledger offset up to which every output is whole; -1 where there is none. */
  readonly completeOffset: number;
  /** How many events were folded that no snapshot has. */
  readonly foldedCount: number;
  /** When the ledger last said how far the inbox was decided, in epoch milliseconds. */
  readonly toldAtMs: number;
}

export interface RecoveryOf {
  readonly log: EventLog;
  readonly partition: number;
  readonly snapshots?: SnapshotStore | undefined;
  readonly core?: Core | undefined;
}

/**
 * Folds a partition's ledger, from its snapshot on where there is one. The caller has taken the partition over before,
 * so it has an end. Ends early, with what is of no use, when `signal` aborts. Throws `PartitionUnusableError` where the
 * ledger is newer than this program, or the inbox no longer has what is to be decided next.
 */
export async function recover(of: RecoveryOf, signal: AbortSignal): Promise<Recovered> {
  const { log, partition, core } = of;
  const snapshot = await readSnapshot(of);
  const decider = snapshot?.decider ?? new PartitionDecider(undefined, core);
  const begun = new BegunOutput();
  let completeOffset = snapshot?.ledgerOffset ?? -1;
  let from = completeOffset + 1;
  let foldedCount = 0;
  while (!signal.aborted) {
    const records = await log.read('ledger', partition, { from, limit: RECORDS_A_READ });
    const last = records.at(-1);
    if (last === undefined) break;
    from = last.offset + 1;
    for (const record of records) {
      foldedCount += foldRecord(decider, begun, record.value);
      if (begun.isEmpty) completeOffset = record.offset;
    }
    // Others are decided, or restored, in this thread: each gets its turn.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { earliest } = await log.bounds('inbox', partition);
  const next = Math.min(decider.place.nextOffset, ...Array.from(decider.tenants.held.values(), ({ offset }) => offset));
  if (earliest > next) {
    throw new PartitionUnusableError(
      'inbox_gap',
      `the inbox begins at ${earliest}, and ${next} is to be decided next: what is between is lost`,
    );
  }
  return { decider, begun, completeOffset, foldedCount, toldAtMs: decider.place.nowMs };
}

/** Returns how many events the record has. */
function foldRecord(decider: PartitionDecider, begun: BegunOutput, value: Uint8Array): number {
  const entry = decodeLedger(value);
  if ('type' in entry) {
    foldPartitionEntry(decider, entry);
    return 0;
  }
  begun.add(entry);
  if (entry.last) decider.fold(begun.take());
  return entry.events.length;
}

function foldPartitionEntry(decider: PartitionDecider, entry: PartitionEntry): void {
  switch (entry.type) {
    case 'writerStarted':
      return;
    case 'positionMoved':
      return decider.place.moveTo(entry);
    case 'inputFailed':
      return decider.place.fail(entry.offset);
    case 'partitionHeld':
      return decider.place.holdAt(entry);
    case 'partitionReleased':
      return decider.place.release(entry);
    default:
      throw new PartitionUnusableError('newer_ledger', 'the ledger has records that only a newer Duewatch can read');
  }
}

/** The newest snapshot, where there is one that can be read: it is a cache, and without it the start takes longer. */
async function readSnapshot({
  snapshots,
  partition,
  core,
}: RecoveryOf): Promise<{ readonly decider: PartitionDecider; readonly ledgerOffset: number } | undefined> {
  const stored = await snapshots?.load(partition);
  if (stored === undefined) return undefined;
  try {
    const decider = await decodePartition(stored.chunks, core);
    return decider && { decider, ledgerOffset: stored.ledgerOffset };
  } catch (error) {
    if (error instanceof LogUnavailableError) throw error;
    new Logger('Recovery').warn(
      `partition ${partition}: the snapshot cannot be read, the ledger is folded: ${String(error)}`,
    );
    return undefined;
  }
}
