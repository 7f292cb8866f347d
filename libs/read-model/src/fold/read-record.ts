// A ledger record as bytes, read for the fold: checked as far as a wrong one would stop the projection.
import { decodeLedger, isPositioned, type LedgerEntry, type LogRecord, type PartitionEntry } from '#event-log';
import { toStoredText } from '../stored-text.ts';
import type { PositionRow } from '../tables/position.entity.ts';

/** Every index begins with the tenant, and an entry of an index has its limit. */
const TENANT_BYTES = 512;

/** Throws `UndecodableRecordError`, or a `TypeError` naming the field. */
export function readRecord(record: LogRecord): LedgerEntry | PartitionEntry {
  const entry = decodeLedger(record.value);
  if (!isPositioned(entry)) return entry;
  checkPlace(entry);
  if ('type' in entry) return entry;
  if (typeof entry.tenant !== 'string' || entry.tenant !== record.tenant) {
    throw new TypeError("tenant: must be the record's own");
  }
  if (Buffer.byteLength(toStoredText(entry.tenant)) > TENANT_BYTES) {
    throw new TypeError(`tenant: must have at most ${TENANT_BYTES} bytes`);
  }
  if (!Array.isArray(entry.events)) throw new TypeError('events: must be a list');
  return entry;
}

function checkPlace({ at, offset, n, last }: Pick<LedgerEntry, 'at' | 'offset' | 'n' | 'last'>): void {
  if (typeof at !== 'string' || Number.isNaN(Date.parse(at))) throw new TypeError('at: must be an instant');
  if (!Number.isSafeInteger(offset) || offset < 0) throw new TypeError('offset: must be a whole number');
  if (!Number.isSafeInteger(n) || n < 0) throw new TypeError('n: must be a whole number');
  if (typeof last !== 'boolean') throw new TypeError('last: must be true or false');
}

export type Position = Omit<PositionRow, 'partition'>;

export const beginning: Position = {
  ledgerOffset: -1,
  inboxOffset: -1,
  eventCount: 0,
  complete: true,
  logInstant: null,
};

/** The position once the record is folded. */
export function positionAfter(position: Position, ledgerOffset: number, entry: LedgerEntry | PartitionEntry): Position {
  if (!isPositioned(entry)) return { ...position, ledgerOffset };
  const eventCount = entry.n + ('events' in entry ? entry.events.length : 0);
  return { ledgerOffset, inboxOffset: entry.offset, eventCount, complete: entry.last, logInstant: entry.at };
}

/** Whether something is missing between what is folded and the record: a part of an input's output, or its end. */
export function isGap(position: Position, entry: LedgerEntry | PartitionEntry): boolean {
  if (!isPositioned(entry)) return false;
  if (position.complete) return entry.offset <= position.inboxOffset || entry.n !== 0;
  return entry.offset !== position.inboxOffset || entry.n !== position.eventCount;
}
