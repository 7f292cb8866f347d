// The log as everything else sees it: two topics, partitions, opaque bytes, offsets, the log's own instants.
// It must never look into a record. Implementations: memory (here), PostgreSQL, Kafka; one contract test for all.

/** `inbox`: everything that happened. `ledger`: everything decided. */
export type Topic = 'inbox' | 'ledger';

/** A record as it is appended. The tenant is null for records of the partition itself (ticks, writer records). */
export interface NewRecord {
  readonly tenant: string | null;
  readonly value: Uint8Array;
}

/** A record as it is read. Offsets rise within a partition and need not be dense. */
export interface LogRecord extends NewRecord {
  readonly offset: number;
  /** The append instant by the log's clock, in epoch milliseconds. It may step back; whoever decides clamps it. */
  readonly appendedAt: number;
}

/** Where an append went: the offset of each of its records, in order. */
export interface Appended {
  readonly partition: number;
  readonly offsets: readonly number[];
  readonly appendedAt: number;
}

export interface ReadOptions {
  /** The first offset wanted, inclusive; 0 is the beginning. */
  readonly from: number;
  /** At most so many records; fewer where they are large (`MAX_READ_BYTES`), but never none where there is one. */
  readonly limit: number;
}

/** A read ends with the record that takes its values past so many bytes: fewer than `limit` is not the log's end. */
export const MAX_READ_BYTES = 2 * 1024 * 1024;

/** What of an inbox is let go of. */
export interface TrimOptions {
  /** Nothing at or past this offset. */
  readonly before: number;
  /** Nothing at or past the first record that was appended at this instant or later, in epoch milliseconds. */
  readonly appendedBefore: number;
}

/** The only one that may append to a partition's ledger, until another takes over. */
export interface LedgerWriter {
  readonly partition: number;
  /** Rises with every take-over of the partition. */
  readonly epoch: number;
  /**
   * Appends all records (at least one) in one transaction, or none, in the order of the calls. They can be read a little
   * later: `waitFor` tells. Throws `FencedError` once another writer has taken over. After any failure the writer appends nothing more: only `openWriter` settles
   * an unknown outcome, and the ledger's end is then as it stays.
   */
  append(records: readonly NewRecord[]): Promise<Appended>;
  /** Gives the partition up, once its appends are done; a later append throws `FencedError`. */
  release(): Promise<void>;
}

/** The port. Every method may throw `LogUnavailableError` (retryable), and does so after `close`. */
export interface EventLog {
  readonly partitionCount: number;
  /** The first offset still kept (`end` where none is) and the offset the next record will have or pass. */
  bounds(topic: Topic, partition: number): Promise<{ readonly earliest: number; readonly end: number }>;
  /**
   * Appends all records (at least one) to a partition's inbox, or none. Durable when it resolves; concurrent appends
   * are committed in groups. The values must not be changed until then.
   */
  append(partition: number, records: readonly NewRecord[]): Promise<Appended>;
  /** Reads what is committed, in offset order; never skips a record that a later read would show. */
  read(topic: Topic, partition: number, options: ReadOptions): Promise<readonly LogRecord[]>;
  /**
   * Resolves once a record at or past `from` can be read, after `timeoutMs`, or when `signal` aborts, whichever
   * comes first. A wake-up is a hint: it may be early or doubled, never missing for longer than a second.
   */
  waitFor(topic: Topic, partition: number, from: number, timeoutMs: number, signal?: AbortSignal): Promise<void>;
  /**
   * Lets go of a partition's oldest inbox records, some thousands at most; true where there may be more to let go of.
   * The offsets of the others stay. The ledger has no such thing.
   */
  trim(partition: number, options: TrimOptions): Promise<boolean>;
  /** Takes the partition's ledger over: any earlier writer is fenced from here on. */
  openWriter(partition: number, deployment: string): Promise<LedgerWriter>;
  /** The log's clock now, in epoch milliseconds. */
  now(): Promise<number>;
  /** Finishes what is being appended, ends every wait, and lets go of what it holds. */
  close(): Promise<void>;
}

/** Another writer has taken the partition over; this one must stop deciding. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
  readonly retryable = false;
}

/** The log could not be reached or did not answer. Nothing is known of what was being appended. */
export class LogUnavailableError extends Error {
  override readonly name: string = 'LogUnavailableError';
  readonly retryable = true;
}

/** The log has no room: nothing was appended, and nothing will be until somebody makes some. */
export class LogFullError extends LogUnavailableError {
  override readonly name = 'LogFullError';
}

/** The log cannot be used as it is set up; the message says what to do. Nothing was changed. */
export class LogMisconfiguredError extends Error {
  override readonly name = 'LogMisconfiguredError';
  readonly retryable = false;
  readonly reason: 'partition_count' | 'not_durable' | 'encoding' | 'newer_schema' | 'topics';

  constructor(reason: LogMisconfiguredError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}
