// The log on Kafka: the inbox in batches, the ledger in transactions, both read as committed. It must never answer
// otherwise than the brokers would: what the tail has fetched is what they answered.
import assert from 'node:assert/strict';
import {
  type Appended,
  AppendQueue,
  type EventLog,
  type LedgerWriter,
  LogCalls,
  LogEnds,
  type LogRecord,
  type NewRecord,
  type Place,
  type ReadOptions,
  SerialLedgerWriter,
  type Topic,
  type TrimOptions,
} from '#event-log';
import type { Clock, KafkaAddress } from '#runtime';
import { PartitionAppender } from './partition-appender.ts';
import { toPassingFault } from './kafka-fault.ts';
import { Leaders } from './leaders.ts';
import { LedgerTransactions } from './ledger-transactions.ts';
import { boundsOf, deleteBefore, offsetAt } from './offsets.ts';
import { readPartition } from './read-partition.ts';
import { Tail } from './tail.ts';
import { topicNames, type TopicNames } from './topic-names.ts';

/**
 * A broker answers the appends that come on one connection one after the other, and each waits for its followers: they
 * are spread over so many.
 */
const APPENDING_CONNECTIONS = 4;

export interface KafkaEventLogOptions {
  readonly address: KafkaAddress;
  readonly partitionCount: number;
  /** What waits are measured by. */
  readonly clock: Clock;
  /** Told of faults that nobody's call can be told of. */
  readonly report?: (fault: unknown) => void;
}

export class KafkaEventLog implements EventLog {
  readonly partitionCount: number;
  readonly #options: KafkaEventLogOptions;
  readonly #names: TopicNames;
  readonly #ends: LogEnds;
  readonly #reading: Leaders;
  readonly #tailing: Leaders;
  readonly #appending: readonly Leaders[];
  readonly #writing = new Map<number, Leaders>();
  readonly #tail: Tail;
  readonly #queues: readonly AppendQueue[];
  readonly #calls: LogCalls;
  /** The log's clock minus the process's, as the last append has shown it. */
  #differenceMs = 0;

  /** Over topics that are as they should be; `openKafkaEventLog` sees to it. Connects when it is first used. */
  constructor(options: KafkaEventLogOptions) {
    const { address, partitionCount, clock, report = () => undefined } = options;
    this.#options = options;
    this.partitionCount = partitionCount;
    this.#calls = new LogCalls(partitionCount);
    this.#names = topicNames(address);
    this.#ends = new LogEnds(clock);
    this.#reading = this.#connect();
    this.#tailing = this.#connect();
    this.#appending = Array.from({ length: APPENDING_CONNECTIONS }, () => this.#connect());
    this.#tail = new Tail({
      leaders: this.#tailing,
      names: this.#names,
      ends: this.#ends,
      clock,
      report: (error) => report(toPassingFault(error, address, 'follow the log')),
    });
    this.#queues = Array.from({ length: partitionCount }, (_, partition) => this.#queue(partition));
  }

  async bounds(topic: Topic, partition: number): Promise<{ readonly earliest: number; readonly end: number }> {
    this.#calls.assertUsable(partition);
    return this.#guard(`read ${this.#names[topic]}`, boundsOf(this.#reading, this.#names[topic], partition));
  }

  async append(partition: number, records: readonly NewRecord[]): Promise<Appended> {
    assert(records.length > 0, 'an append has at least one record');
    this.#calls.assertUsable(partition);
    const queue = this.#queues[partition];
    assert(queue !== undefined, 'every partition has its queue');
    return this.#guard(`write to ${this.#names.inbox}`, queue.append(records));
  }

  async read(topic: Topic, partition: number, options: ReadOptions): Promise<readonly LogRecord[]> {
    this.#calls.assertUsable(partition);
    const fetched = this.#tail.read(topic, partition, options);
    if (fetched !== undefined) return fetched;
    const name = this.#names[topic];
    return this.#guard(`read ${name}`, readPartition(this.#reading, name, partition, options));
  }

  async waitFor(topic: Topic, partition: number, from: number, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    if (this.#calls.isClosed) return;
    await this.#tail.waitFor(topic, partition, from, timeoutMs, signal);
  }

  /** Kafka keeps the time of a batch in whole segments' indexes, and lets go of any offset: once is enough. */
  async trim(partition: number, { before, appendedBefore }: TrimOptions): Promise<false> {
    this.#calls.assertUsable(partition);
    await this.#guard(`let go of records of ${this.#names.inbox}`, this.#trim(partition, before, appendedBefore));
    return false;
  }

  async openWriter(partition: number): Promise<LedgerWriter> {
    this.#calls.assertUsable(partition);
    const leaders = this.#writing.get(partition) ?? this.#connect();
    this.#writing.set(partition, leaders);
    const { prefix } = this.#options.address;
    const place = { topic: this.#names.ledger, partition, transactionalId: `${prefix}-ledger-${partition}` };
    const transactions = await this.#guard(
      `write to ${place.topic} as ${place.transactionalId}`,
      LedgerTransactions.takeOver(leaders, place),
    );
    return new SerialLedgerWriter(partition, transactions.epoch, (records) =>
      this.#appendToLedger(partition, transactions, records),
    );
  }

  /** Kafka tells its clock only by what it stamps: the process's own, corrected by the last append. */
  async now(): Promise<number> {
    this.#calls.assertUsable(0);
    return this.#options.clock.now() + this.#differenceMs;
  }

  async close(): Promise<void> {
    this.#ends.close();
    await this.#calls.close(() => this.#letGo());
  }

  async #letGo(): Promise<void> {
    await this.#tail.close();
    const all = [this.#reading, this.#tailing, ...this.#appending, ...this.#writing.values()];
    await Promise.all(all.map((leaders) => leaders.close()));
  }

  #connect(): Leaders {
    const { address, clock } = this.#options;
    return new Leaders(address, clock, [this.#names.inbox, this.#names.ledger]);
  }

  #queue(partition: number): AppendQueue {
    const leaders = this.#appending[partition % APPENDING_CONNECTIONS];
    assert(leaders !== undefined, 'there are connections for appending');
    const appender = new PartitionAppender(leaders, this.#names.inbox, partition);
    return new AppendQueue(partition, async (records) => {
      const place = await appender.append(records);
      this.#differenceMs = place.appendedAt - this.#options.clock.now();
      return place;
    });
  }

  async #trim(partition: number, before: number, appendedBefore: number): Promise<void> {
    const topic = this.#names.inbox;
    const [{ earliest, end }, kept] = await Promise.all([
      boundsOf(this.#reading, topic, partition),
      offsetAt(this.#reading, topic, partition, appendedBefore),
    ]);
    const offset = Math.min(before, end, kept === -1 ? end : kept);
    if (offset <= earliest) return;
    this.#tail.trim(partition, offset);
    await deleteBefore(this.#reading, topic, partition, offset);
  }

  async #appendToLedger(
    partition: number,
    transactions: LedgerTransactions,
    records: readonly NewRecord[],
  ): Promise<Appended> {
    this.#calls.assertUsable(partition);
    const { first, appendedAt }: Place = await this.#guard(
      `write to ${this.#names.ledger}`,
      transactions.append(records),
    );
    return { partition, offsets: records.map((_, nth) => first + nth), appendedAt };
  }

  #guard<T>(doing: string, answer: Promise<T>): Promise<T> {
    return this.#calls.guard(answer, (error) => toPassingFault(error, this.#options.address, doing));
  }
}
