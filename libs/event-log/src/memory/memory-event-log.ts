// The log in memory: for tests, simulations and trials. It behaves as the real ones do and keeps nothing.
import assert from 'node:assert/strict';
import type { Clock } from '#runtime';
import { LogEnds } from '../log-ends.ts';
import {
  type Appended,
  type EventLog,
  FencedError,
  type LedgerWriter,
  type LogRecord,
  LogUnavailableError,
  type NewRecord,
  type ReadOptions,
  type Topic,
  type TrimOptions,
} from '../port.ts';
import { SerialLedgerWriter } from '../serial-ledger-writer.ts';
import { MemoryPartition } from './memory-partition.ts';

export interface MemoryEventLogOptions {
  /** What waits are measured by. */
  readonly clock: Clock;
  /** 8 unless given. */
  readonly partitionCount?: number;
  /** The log's own clock, in epoch milliseconds; `clock` unless given. Where it throws, an append fails whole. */
  readonly now?: () => number;
}

/** A log of one process, shared by all who hold it. */
export class MemoryEventLog implements EventLog {
  readonly partitionCount: number;
  readonly #now: () => number;
  readonly #ends: LogEnds;
  readonly #partitions: Readonly<Record<Topic, readonly MemoryPartition[]>>;
  readonly #epochs: number[];
  #closed = false;

  constructor({ partitionCount = 8, clock, now = () => clock.now() }: MemoryEventLogOptions) {
    this.partitionCount = partitionCount;
    this.#now = now;
    this.#ends = new LogEnds(clock);
    const partitions = () => Array.from({ length: partitionCount }, () => new MemoryPartition());
    this.#partitions = { inbox: partitions(), ledger: partitions() };
    this.#epochs = Array.from({ length: partitionCount }, () => 0);
  }

  async bounds(topic: Topic, partition: number): Promise<{ earliest: number; end: number }> {
    const { earliest, end } = this.#partition(topic, partition);
    return { earliest, end };
  }

  async append(partition: number, records: readonly NewRecord[]): Promise<Appended> {
    return this.#append('inbox', partition, records);
  }

  async read(topic: Topic, partition: number, options: ReadOptions): Promise<readonly LogRecord[]> {
    return this.#partition(topic, partition).read(options);
  }

  async waitFor(topic: Topic, partition: number, from: number, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    await this.#ends.waitFor(topic, partition, from, timeoutMs, signal);
  }

  async trim(partition: number, options: TrimOptions): Promise<boolean> {
    this.#partition('inbox', partition).trim(options);
    return false;
  }

  async openWriter(partition: number): Promise<LedgerWriter> {
    this.#partition('ledger', partition);
    const epoch = (this.#epochs[partition] ?? 0) + 1;
    this.#epochs[partition] = epoch;
    return new SerialLedgerWriter(partition, epoch, async (records) => {
      if (this.#epochs[partition] !== epoch)
        throw new FencedError(`another writer has taken partition ${partition} over`);
      return this.#append('ledger', partition, records);
    });
  }

  async now(): Promise<number> {
    this.#assertOpen();
    return this.#now();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#ends.close();
  }

  #append(topic: Topic, partition: number, records: readonly NewRecord[]): Appended {
    assert(records.length > 0, 'an append has at least one record');
    const log = this.#partition(topic, partition);
    const appendedAt = this.#now();
    const offsets = log.append(records, appendedAt);
    this.#ends.reached(topic, partition, log.end);
    return { partition, offsets, appendedAt };
  }

  #partition(topic: Topic, partition: number): MemoryPartition {
    this.#assertOpen();
    const found = this.#partitions[topic][partition];
    assert(found !== undefined, `partition ${partition} must be one of ${this.partitionCount}`);
    return found;
  }

  #assertOpen(): void {
    if (this.#closed) throw new LogUnavailableError('the log is closed');
  }
}
