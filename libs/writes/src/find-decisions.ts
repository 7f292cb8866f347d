// Finds in the ledger what was decided of a write long ago, without reading what lies before.
import type { EventLog, LogRecord } from '#event-log';
import { DecidedWrite, readPiece } from './decided.ts';

const readLimit = 200;

/** The decisions so far of the write with these offsets, which rise. Decisions stand in the ledger in the order of the inbox, so the first is searched by halving. */
export async function findDecisions(
  log: EventLog,
  partition: number,
  tenant: string,
  offsets: readonly number[],
  ledgerFrom: number,
): Promise<DecidedWrite> {
  const write = new DecidedWrite(tenant, offsets);
  const first = offsets[0] ?? 0;
  const last = offsets.at(-1) ?? first;
  let from = await firstRecordOf(log, partition, first, ledgerFrom);
  for (;;) {
    const records = await log.read('ledger', partition, { from, limit: readLimit });
    for (const record of records) {
      const piece = readPiece(record);
      if (piece === undefined) continue;
      write.add(piece);
      if (write.isComplete || piece.offset > last) return write;
    }
    const end = records.at(-1);
    if (end === undefined) return write;
    from = end.offset + 1;
  }
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
  return piece?.outputOffset ?? piece?.offset;
}
