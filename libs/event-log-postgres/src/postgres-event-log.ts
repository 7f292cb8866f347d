// The log in tables of PostgreSQL. It must never answer otherwise than the database would: what it remembers of the
// partitions' ends is a hint for waiting, and what it remembers of its own appends is committed and never changes.
import assert from 'node:assert/strict';
import type { Pool } from 'pg';
import {
  type Appended,
  AppendQueue,
  type EventLog,
  FencedError,
  type LedgerWriter,
  LogCalls,
  type LogEnds,
  type LogRecord,
  type NewRecord,
  type Place,
  type ReadOptions,
  SerialLedgerWriter,
  toSafeText,
  type Topic,
  type TrimOptions,
} from '#event-log';
import { appendRecords } from './append-records.ts';
import { toLogFault } from './log-fault.ts';
import type { Notifications } from './notifications.ts';
import { readRecords } from './read-records.ts';
import { RecentRecords } from './recent-records.ts';
import { trimInbox } from './trim-inbox.ts';

export class PostgresEventLog implements EventLog {
  readonly partitionCount: number;
  readonly #pool: Pool;
  readonly #ends: LogEnds;
  readonly #notifications: Notifications;
  readonly #queues: readonly AppendQueue[];
  readonly #recent = new RecentRecords();
  readonly #calls: LogCalls;

  /** Over a schema that is prepared; `openPostgresEventLog` makes one. */
  constructor(partitionCount: number, pool: Pool, ends: LogEnds, notifications: Notifications) {
    this.partitionCount = partitionCount;
    this.#calls = new LogCalls(partitionCount);
    this.#pool = pool;
    this.#ends = ends;
    this.#notifications = notifications;
    this.#queues = Array.from(
      { length: partitionCount },
      (_, partition) => new AppendQueue(partition, (records) => this.#appendToInbox(partition, records)),
    );
  }

  async bounds(topic: Topic, partition: number): Promise<{ earliest: number; end: number }> {
    this.#calls.assertUsable(partition);
    const { rows } = await this.#guard(
      this.#pool.query<{ earliest: string; end_offset: string }>({
        name: `bounds-${topic}`,
        text: `
          SELECT end_offset, coalesce(
            (SELECT min(record_offset) FROM duewatch_log.${topic} WHERE partition = $1), end_offset) AS earliest
          FROM duewatch_log.head WHERE topic = '${topic}' AND partition = $1`,
        values: [partition],
      }),
    );
    const row = rows[0];
    assert(row !== undefined, `partition ${partition} has a head`);
    return { earliest: Number(row.earliest), end: Number(row.end_offset) };
  }

  async append(partition: number, records: readonly NewRecord[]): Promise<Appended> {
    assert(records.length > 0, 'an append has at least one record');
    const queue = this.#queues[partition];
    this.#calls.assertUsable(partition);
    assert(queue !== undefined, 'every partition has its queue');
    return this.#guard(queue.append(records));
  }

  async read(topic: Topic, partition: number, options: ReadOptions): Promise<readonly LogRecord[]> {
    this.#calls.assertUsable(partition);
    const recent = this.#recent.read(topic, partition, options);
    return recent ?? this.#guard(readRecords(this.#pool, topic, partition, options));
  }

  async waitFor(topic: Topic, partition: number, from: number, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    await this.#ends.waitFor(topic, partition, from, timeoutMs, signal);
  }

  async trim(partition: number, options: TrimOptions): Promise<boolean> {
    this.#calls.assertUsable(partition);
    this.#recent.trim(partition, options);
    return this.#guard(trimInbox(this.#pool, partition, options));
  }

  async openWriter(partition: number, deployment: string): Promise<LedgerWriter> {
    this.#calls.assertUsable(partition);
    // Waits for an append that is under way, so that afterwards the ledger's end stays as it is.
    const { rows } = await this.#guard(
      this.#pool.query<{ epoch: string }>({
        name: 'open-writer',
        text: `UPDATE duewatch_log.head SET epoch = epoch + 1, deployment = $2
               WHERE topic = 'ledger' AND partition = $1 RETURNING epoch`,
        values: [partition, toSafeText(deployment)],
      }),
    );
    const epoch = Number(rows[0]?.epoch);
    assert(Number.isSafeInteger(epoch), `partition ${partition} has a head`);
    return new SerialLedgerWriter(partition, epoch, (records) => this.#appendToLedger(partition, epoch, records));
  }

  async now(): Promise<number> {
    this.#calls.assertUsable(0);
    const { rows } = await this.#guard(
      this.#pool.query<{ now: string }>({
        name: 'now',
        text: 'SELECT floor(extract(epoch FROM duewatch_log.clock()) * 1000)::bigint AS now',
      }),
    );
    return Number(rows[0]?.now);
  }

  async close(): Promise<void> {
    this.#ends.close();
    await this.#calls.close(async () => {
      await this.#notifications.stop();
      await this.#pool.end();
    });
  }

  async #appendToInbox(partition: number, records: readonly NewRecord[]): Promise<Place> {
    const place = await appendRecords(this.#pool, 'inbox', partition, null, records);
    assert(place !== undefined, `partition ${partition} has a head`);
    this.#recent.add('inbox', partition, place, records);
    this.#notifications.announce('inbox', partition, place.first + records.length);
    return place;
  }

  async #appendToLedger(partition: number, epoch: number, records: readonly NewRecord[]): Promise<Appended> {
    this.#calls.assertUsable(partition);
    const place = await this.#guard(appendRecords(this.#pool, 'ledger', partition, epoch, records));
    if (place === undefined) throw new FencedError(`another writer has taken partition ${partition} over`);
    this.#recent.add('ledger', partition, place, records);
    this.#notifications.announce('ledger', partition, place.first + records.length);
    return { partition, offsets: records.map((_, nth) => place.first + nth), appendedAt: place.appendedAt };
  }

  #guard<T>(answer: Promise<T>): Promise<T> {
    return this.#calls.guard(answer, toLogFault);
  }
}
