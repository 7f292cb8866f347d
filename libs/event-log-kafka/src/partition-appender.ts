// Appends to one partition of a topic. A batch whose answer was lost is sent again under the same sequence, and the broker
// knows it; what stays without an answer is told as such, and the next append begins as a new producer.
import type { NewRecord, Place } from '#event-log';
import { type Batch, nextSequence, produceBatch } from './batch.ts';
import type { ProducerIdentity } from './kafkajs-parts.ts';
import type { Leaders } from './leaders.ts';

const PATIENCE_MS = 10_000;
/** It means nothing where there is no transactional id, and has to be given. */
const TRANSACTION_TIMEOUT_MS = 15_000;

interface Producer {
  readonly identity: ProducerIdentity;
  sequence: number;
}

export class PartitionAppender {
  readonly #leaders: Leaders;
  readonly #topic: string;
  readonly #partition: number;
  #producer: Producer | undefined;

  constructor(leaders: Leaders, topic: string, partition: number) {
    this.#leaders = leaders;
    this.#topic = topic;
    this.#partition = partition;
  }

  /** One at a time. Throws the client's errors. */
  async append(records: readonly NewRecord[]): Promise<Place> {
    const producer = (this.#producer ??= await this.#begin());
    // Until it is known that the batch is in, this producer's sequence is not known either.
    this.#producer = undefined;
    const batch: Batch = {
      topic: this.#topic,
      partition: this.#partition,
      records,
      firstSequence: producer.sequence,
      identity: producer.identity,
    };
    const place = await this.#leaders.atLeader(
      this.#topic,
      this.#partition,
      (broker) => produceBatch(broker, batch),
      PATIENCE_MS,
    );
    producer.sequence = nextSequence(producer.sequence, records.length);
    this.#producer = producer;
    return place;
  }

  async #begin(): Promise<Producer> {
    const identity = await this.#leaders.anywhere(
      (broker) => broker.initProducerId({ transactionTimeout: TRANSACTION_TIMEOUT_MS }),
      PATIENCE_MS,
    );
    return { identity, sequence: 0 };
  }
}
