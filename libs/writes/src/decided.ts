// What ledger records say of one inbox record, gathered until its last. It must never hold another tenant's events.
import type { LedgerEntry, LedgerEvent, PartitionEntry } from '#event-log';

/** One inbox offset's part in a ledger record. */
export interface DecidedPiece {
  readonly offset: number;
  /** Null for a record of the partition itself. */
  readonly tenant: string | null;
  readonly last: boolean;
  readonly events: readonly LedgerEvent[];
}

/** Undefined for a record that decides nothing of an input. What waited for a release is a piece of its own. */
export function toPiece(entry: LedgerEntry | PartitionEntry): DecidedPiece | undefined {
  if (!('type' in entry)) return entry.of === undefined ? entry : { ...entry, ...entry.of };
  return entry.type === 'positionMoved' ? { offset: entry.offset, tenant: null, last: true, events: [] } : undefined;
}

/** The decisions of a write's records: complete when each record's last piece was added. */
export class DecidedWrite {
  readonly events = new Map<number, LedgerEvent[]>();
  private readonly open: Set<number>;

  constructor(
    private readonly tenant: string,
    offsets: readonly number[],
  ) {
    this.open = new Set(offsets);
    for (const offset of offsets) this.events.set(offset, []);
  }

  get isComplete(): boolean {
    return this.open.size === 0;
  }

  add(piece: DecidedPiece): void {
    if (!this.open.has(piece.offset)) return;
    const events = this.events.get(piece.offset);
    if (piece.tenant === this.tenant) for (const event of piece.events) events?.push(event);
    if (piece.last) this.open.delete(piece.offset);
  }
}
