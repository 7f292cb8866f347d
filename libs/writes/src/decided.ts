// What ledger records say of one inbox record, gathered until its last. It must never hold another tenant's events.
import {
  decodeLedger,
  type LedgerEntry,
  type LedgerEvent,
  type LogRecord,
  type PartitionEntry,
  UndecodableRecordError,
} from '#event-log';

/** One inbox offset's part in a ledger record. */
export interface DecidedPiece {
  readonly offset: number;
  /** In which input's output it stands, where it waited for a release. */
  readonly outputOffset?: number;
  /** Null for a record of the partition itself. */
  readonly tenant: string | null;
  readonly last: boolean;
  readonly events: readonly LedgerEvent[];
}

/** Undefined for a record that decides nothing of an input. What waited for a release is a piece of its own. */
export function toPiece(entry: LedgerEntry | PartitionEntry): DecidedPiece | undefined {
  if (!('type' in entry)) return entry.of === undefined ? entry : { ...entry, ...entry.of, outputOffset: entry.offset };
  return entry.type === 'positionMoved' ? { offset: entry.offset, tenant: null, last: true, events: [] } : undefined;
}

/** The same of a record; undefined, too, for what cannot be read: `report` is told of it. */
export function readPiece(
  record: LogRecord,
  report: (error: UndecodableRecordError) => void = () => undefined,
): DecidedPiece | undefined {
  try {
    return toPiece(decodeLedger(record.value));
  } catch (error) {
    if (!(error instanceof UndecodableRecordError)) throw error;
    report(error);
    return undefined;
  }
}

/** The decisions of a write's records: complete when each record's last piece was added. */
export class DecidedWrite {
  readonly events = new Map<number, LedgerEvent[]>();
  private readonly open: Set<number>;
  /** From which input on the tenant is held: that input waits, too, and is decided at the release. */
  private heldFrom = Infinity;

  constructor(
    private readonly tenant: string | null,
    offsets: readonly number[],
  ) {
    this.open = new Set(offsets);
    for (const offset of offsets) this.events.set(offset, []);
  }

  get isComplete(): boolean {
    return this.open.size === 0;
  }

  /** What is not decided yet, without the events so far. */
  rest(): DecidedWrite {
    return new DecidedWrite(null, [...this.open]);
  }

  add(piece: DecidedPiece): void {
    if (!this.open.has(piece.offset)) return;
    const events = this.events.get(piece.offset);
    if (this.tenant !== null && piece.tenant === this.tenant) {
      for (const event of piece.events) {
        if (event.type === 'tenantHeld') this.heldFrom = piece.offset;
        else events?.push(event);
      }
    }
    const isWaiting = piece.offset >= this.heldFrom && piece.outputOffset === undefined;
    if (piece.last && !isWaiting) this.open.delete(piece.offset);
  }
}
