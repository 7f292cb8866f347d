// Snapshots in a topic beside the ledger, a partition for each of its partitions. A snapshot is a beginning, its chunks, and
// an end that names the beginning: one without an end is passed over. What lies before the newest whole one is deleted.
import { LogUnavailableError, type SnapshotStore, type StoredSnapshot } from '#event-log';
import type { Clock, KafkaAddress } from '#runtime';
import { PartitionAppender } from './partition-appender.ts';
import { toPassingFault } from './kafka-fault.ts';
import { Leaders } from './leaders.ts';
import { boundsOf, deleteBefore } from './offsets.ts';
import { readPartition } from './read-partition.ts';
import { topicNames } from './topic-names.ts';

const APPEND_BYTES = 1024 * 1024;
const READ_LIMIT = 1_000;

interface End {
  readonly v: 1;
  /** The offset of the beginning. */
  readonly beganAt: number;
  readonly chunkCount: number;
  readonly ledgerOffset: number;
}

const begin = new Uint8Array();

export class KafkaSnapshotStore implements SnapshotStore {
  readonly #leaders: Leaders;
  readonly #topic: string;
  readonly #address: KafkaAddress;

  constructor(address: KafkaAddress, clock: Clock) {
    this.#address = address;
    this.#topic = topicNames(address).snapshots;
    this.#leaders = new Leaders(address, clock, [this.#topic]);
  }

  async save(partition: number, ledgerOffset: number, chunks: Iterable<Uint8Array>): Promise<void> {
    try {
      const appender = new PartitionAppender(this.#leaders, this.#topic, partition);
      const { first: beganAt } = await appender.append([{ tenant: 'begin', value: begin }]);
      const chunkCount = await this.#append(appender, keyOf(beganAt), chunks);
      const end: End = { v: 1, beganAt, chunkCount, ledgerOffset };
      await appender.append([{ tenant: 'end', value: Buffer.from(JSON.stringify(end)) }]);
      await deleteBefore(this.#leaders, this.#topic, partition, beganAt);
    } catch (error) {
      throw toPassingFault(error, this.#address, `write to ${this.#topic}`);
    }
  }

  async load(partition: number): Promise<StoredSnapshot | undefined> {
    try {
      const end = await this.#newestEnd(partition);
      return end && { ledgerOffset: end.ledgerOffset, chunks: this.#chunks(partition, end) };
    } catch (error) {
      throw toPassingFault(error, this.#address, `read ${this.#topic}`);
    }
  }

  async close(): Promise<void> {
    await this.#leaders.close();
  }

  async #append(appender: PartitionAppender, tenant: string, chunks: Iterable<Uint8Array>): Promise<number> {
    let records: { tenant: string; value: Uint8Array }[] = [];
    let bytes = 0;
    let count = 0;
    for (const value of chunks) {
      count += 1;
      bytes += value.byteLength;
      records.push({ tenant, value });
      if (bytes < APPEND_BYTES) continue;
      await appender.append(records);
      records = [];
      bytes = 0;
    }
    if (records.length > 0) await appender.append(records);
    return count;
  }

  /** Looked for from the back: behind it there is at most what was cut short. */
  async #newestEnd(partition: number): Promise<End | undefined> {
    const { earliest, end } = await boundsOf(this.#leaders, this.#topic, partition);
    let before = end;
    for (let width = 1; before > earliest; width *= 2) {
      const from = Math.max(earliest, before - width);
      let newest: End | undefined;
      for (let next = from; next < before;) {
        const records = await readPartition(this.#leaders, this.#topic, partition, { from: next, limit: READ_LIMIT });
        for (const { tenant, value, offset } of records) {
          if (tenant === 'end' && offset < before) newest = parseEnd(value) ?? newest;
        }
        next = (records.at(-1)?.offset ?? before) + 1;
      }
      if (newest !== undefined) return newest;
      before = from;
    }
    return undefined;
  }

  async *#chunks(partition: number, { beganAt, chunkCount }: End): AsyncGenerator<Uint8Array> {
    let count = 0;
    for (let from = beganAt + 1; count < chunkCount;) {
      const records = await readPartition(this.#leaders, this.#topic, partition, { from, limit: READ_LIMIT });
      const last = records.at(-1);
      // A newer one has been saved, and this one deleted.
      if (last === undefined || (count === 0 && records[0]?.offset !== from)) {
        throw new LogUnavailableError('the snapshot was deleted while it was read');
      }
      for (const { tenant, value } of records) {
        if (tenant !== keyOf(beganAt) || count === chunkCount) continue;
        count += 1;
        // Whoever restores has heartbeats to send meanwhile, and other partitions to serve.
        await new Promise((resolve) => setImmediate(resolve));
        yield value;
      }
      from = last.offset + 1;
    }
  }
}

/** Two may be saved at once, by one who does not know yet that the partition is another's. */
function keyOf(beganAt: number): string {
  return `chunk ${beganAt}`;
}

/** Undefined where it is of a version that is not known: a snapshot is a cache. */
function parseEnd(value: Uint8Array): End | undefined {
  const end = JSON.parse(Buffer.from(value).toString()) as { readonly v?: unknown };
  return end.v === 1 ? (end as End) : undefined;
}
