// Finds in the ledger what was decided of a write long ago, without reading what lies before.
import type { EventLog, LogRecord } from '#event-log';
import { type DecidedPiece, DecidedWrite, readPiece } from './decided.ts';

const readLimit = 200;

/** Where a write is looked for. */
export interface WritePlace {
  readonly partition: number;
  readonly tenant: string;
  /** Of its records, rising. */
  readonly offsets: readonly number[];
  /** No decision of it stands before this ledger offset. */
  readonly ledgerFrom: number;
  /** Where an earlier search for what waits for a release has ended; 0 where there was none. */
  readonly searchedTo: number;
}

export interface FoundDecisions {
  readonly write: DecidedWrite;
  /** The ledger offset at which a later search may go on. */
  readonly searchedTo: number;
}

/**
 * The decisions so far. They stand in the ledger in the order of the inbox, so the first is searched by halving. What is
 * missing then waits for its tenant's release: it is looked for up to the ledger's end.
 */
export async function findDecisions(log: EventLog, place: WritePlace): Promise<FoundDecisions> {
  const { partition, tenant, offsets, ledgerFrom } = place;
  const write = new DecidedWrite(tenant, offsets);
  const first = offsets[0] ?? 0;
  const last = offsets.at(-1) ?? first;
  let from = await firstRecordOf(log, partition, first, ledgerFrom);
  let isPast = false;
  /** A release may be under way: a later search has to begin where its decisions begin. */
  let releasedFrom: number | undefined;
  for (;;) {
    const records = await log.read('ledger', partition, { from, limit: readLimit });
    for (const record of records) {
      const piece = readPiece(record);
      if (piece === undefined) continue;
      write.add(piece);
      if (write.isComplete) return { write, searchedTo: record.offset };
      isPast ||= outputOffsetOf(piece) > last;
      if (piece.outputOffset !== undefined && offsets.includes(piece.offset)) releasedFrom ??= record.offset;
    }
    const end = records.at(-1);
    if (end === undefined) return { write, searchedTo: releasedFrom ?? from };
    from = isPast ? Math.max(end.offset + 1, place.searchedTo) : end.offset + 1;
  }
}

function outputOffsetOf(piece: DecidedPiece): number {
  return piece.outputOffset ?? piece.offset;
}

/** A ledger offset at or before the first record of the inbox offset, and after all records of the offsets before it. */
async function firstRecordOf(log: EventLog, partition: number, offset: number, ledgerFrom: number): Promise<number> {
  const { earliest, end } = await log.bounds('ledger', partition);
  let low = Math.max(earliest, ledgerFrom);
  let high = end;
  while (high - low > readLimit) {
    const middle = Math.floor((low + high) / 2);
    const probe = (await log.read('ledger', partition, { from: middle, limit: 8 }))
      .map(inboxOffset)
      .find((at) => at !== undefined);
    if (probe !== undefined && probe < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function inboxOffset(record: LogRecord): number | undefined {
  const piece = readPiece(record);
  return piece && outputOffsetOf(piece);
}
