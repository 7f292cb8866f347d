// A partition's memory from its ledger: folded to the last complete input. What an incomplete one has written is kept
// aside: the input is decided again, and must say the same.
import assert from 'node:assert/strict';
import { decodeLedger, type EventLog, type LedgerEntry } from '#event-log';
import { PartitionDecider } from './partition-decider.ts';

const RECORDS_A_READ = 500;

export interface Recovered {
  readonly decider: PartitionDecider;
  /** The records already written of the input at `decider.nextOffset`. */
  readonly written: readonly LedgerEntry[];
  /** When the ledger last said how far the inbox was decided, in epoch milliseconds. */
  readonly toldAtMs: number;
}

/** Folds a partition's whole ledger. The caller has taken the partition over before, so it has an end. */
export async function recover(log: EventLog, partition: number): Promise<Recovered> {
  const decider = new PartitionDecider();
  let written: LedgerEntry[] = [];
  let from = 0;
  for (;;) {
    const records = await log.read('ledger', partition, { from, limit: RECORDS_A_READ });
    const last = records.at(-1);
    if (last === undefined) return { decider, written, toldAtMs: decider.nowMs };
    from = last.offset + 1;
    for (const record of records) written = foldRecord(decider, written, record.value);
  }
}

function foldRecord(decider: PartitionDecider, written: LedgerEntry[], value: Uint8Array): LedgerEntry[] {
  const entry = decodeLedger(value);
  if ('type' in entry) {
    if (entry.type === 'positionMoved') decider.move(entry);
    return written;
  }
  const of = [...written, entry];
  if (!entry.last) return of;
  decider.fold(of);
  return [];
}

/** What is still to be written of an input's output: its first records must equal those written before. */
export function withoutWritten(
  output: readonly LedgerEntry[],
  written: readonly LedgerEntry[],
): readonly LedgerEntry[] {
  written.forEach((entry, index) => {
    assert.deepEqual(plain(output[index]), entry, 'an input decided again must say what it said before');
  });
  return output.slice(written.length);
}

function plain(entry: LedgerEntry | undefined): unknown {
  return JSON.parse(JSON.stringify(entry ?? null)) as unknown;
}
