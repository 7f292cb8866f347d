// Ledger records on their way: gathered into transactions, of which one is written while the next is being gathered.
// It must never append after a failed append, nor hold more than two transactions.
import {
  encodeLedger,
  isPositioned,
  type LedgerEntry,
  type LedgerWriter,
  type NewRecord,
  type PartitionEntry,
} from '#event-log';
import type { PartitionTally } from './partition-tally.ts';

/** A transaction is written once it has so much of any of them. */
const RECORDS_A_TRANSACTION = 2_000;
const EVENTS_A_TRANSACTION = 5_000;
const BYTES_A_TRANSACTION = 8 * 1024 * 1024;
/** After so many events the rest of the process gets its turn: another partition's facts must not wait for a herd. */
const EVENTS_A_TURN = 50;

export class OutputWriter {
  private records: NewRecord[] = [];
  private eventCount = 0;
  private byteCount = 0;
  private eventsThisTurn = 0;
  private addedCount = 0;
  private gathered = -1;
  private written = -1;
  private writing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly writer: LedgerWriter,
    private readonly tally?: PartitionTally,
  ) {}

  /** How many events were added. */
  get eventTotal(): number {
    return this.addedCount;
  }

  /** The inbox offset up to which every input's output is in the ledger, as the ledger says itself; -1 before any. */
  get writtenOffset(): number {
    return this.written;
  }

  /** Adds a record. Throws what an earlier append threw. */
  async add(entry: LedgerEntry | PartitionEntry): Promise<void> {
    const value = encodeLedger(entry);
    const eventCount = 'events' in entry ? entry.events.length : 1;
    if ('events' in entry) this.tally?.wrote(entry);
    this.records.push({ tenant: 'tenant' in entry ? entry.tenant : null, value });
    this.byteCount += value.byteLength;
    this.eventCount += eventCount;
    this.eventsThisTurn += eventCount;
    this.addedCount += eventCount;
    if (isPositioned(entry) && entry.last) this.gathered = entry.offset;
    const isFull =
      this.records.length >= RECORDS_A_TRANSACTION ||
      this.eventCount >= EVENTS_A_TRANSACTION ||
      this.byteCount >= BYTES_A_TRANSACTION;
    if (isFull) await this.flush();
    if (this.eventsThisTurn < EVENTS_A_TURN) return;
    this.eventsThisTurn = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Sends off what is gathered, once what was sent before is written. Throws what that append threw. */
  async flush(): Promise<void> {
    if (this.records.length === 0) return;
    const { records, gathered } = this;
    this.records = [];
    this.eventCount = this.byteCount = 0;
    await this.writing;
    this.writing = this.writer.append(records).then(() => (this.written = gathered));
    // Its failure is told to whoever comes next.
    this.writing.catch(() => undefined);
  }

  /** Adds a record and resolves once it is written, and all before it. Throws what an append threw. */
  async write(entry: LedgerEntry | PartitionEntry): Promise<void> {
    await this.add(entry);
    await this.flush();
    await this.settle();
  }

  /** Resolves once all that was sent off is written. Throws what its append threw. */
  async settle(): Promise<void> {
    await this.writing;
  }
}
