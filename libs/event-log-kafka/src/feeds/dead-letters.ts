// The topic where it is kept which records of feeds were not reported, and why. It must never hold what was in them.
import { AppendQueue, type ParkedRecord } from '#event-log';
import type { Clock } from '#runtime';
import { PartitionAppender } from '../partition-appender.ts';
import type { Leaders } from '../leaders.ts';

/** One dead letter, as JSON. After a crash the same place may be there twice. */
export interface DeadLetter extends ParkedRecord {
  readonly v: 1;
  readonly topic: string;
  readonly partition: number;
  readonly parkedAt: string;
}

export class DeadLetters {
  readonly #queue: AppendQueue;
  readonly #clock: Clock;

  constructor(leaders: Leaders, topic: string, clock: Clock) {
    const appender = new PartitionAppender(leaders, topic, 0);
    this.#queue = new AppendQueue(0, (records) => appender.append(records));
    this.#clock = clock;
  }

  /** Resolves once they are durable. Throws the client's errors. */
  async add(
    feed: { readonly topic: string; readonly partition: number; readonly tenant: string },
    parked: readonly ParkedRecord[],
  ): Promise<void> {
    const { topic, partition, tenant } = feed;
    const parkedAt = new Date(this.#clock.now()).toISOString();
    await this.#queue.append(
      parked.map((record) => ({
        tenant,
        value: Buffer.from(JSON.stringify({ v: 1, topic, partition, ...record, parkedAt } satisfies DeadLetter)),
      })),
    );
  }
}
