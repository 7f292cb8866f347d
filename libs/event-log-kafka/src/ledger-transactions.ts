// A partition's ledger in transactions under the partition's own transactional id. Taking the id over ends what an earlier
// holder had under way, one way or the other, and fences it: afterwards the ledger's end is as it stays.
import { FencedError, type NewRecord, type Place } from '#event-log';
import { nextSequence, produceBatch } from './batch.ts';
import { answerTypeOf } from './kafka-fault.ts';
import type { ProducerIdentity } from './kafkajs-parts.ts';
import type { Leaders } from './leaders.ts';

/** A transaction that is not ended by then is aborted by its coordinator. */
const TRANSACTION_TIMEOUT_MS = 15_000;
/** A take-over may have to wait for an earlier holder's markers. */
const TAKE_OVER_PATIENCE_MS = 20_000;
/** Within the transaction's own time: later it is aborted, and this holder fenced. */
const PATIENCE_MS = 10_000;

/** Another holds the id, or the coordinator has given up a transaction that took too long. */
const fenced: ReadonlySet<string> = new Set([
  'INVALID_PRODUCER_EPOCH',
  'PRODUCER_FENCED',
  'INVALID_PRODUCER_ID_MAPPING',
  'INVALID_TXN_STATE',
]);

export interface LedgerPlace {
  readonly topic: string;
  readonly partition: number;
  readonly transactionalId: string;
}

export class LedgerTransactions {
  readonly #leaders: Leaders;
  readonly #place: LedgerPlace;
  readonly #identity: ProducerIdentity;
  #sequence = 0;

  private constructor(leaders: Leaders, place: LedgerPlace, identity: ProducerIdentity) {
    this.#leaders = leaders;
    this.#place = place;
    this.#identity = identity;
  }

  /** Takes the partition over. Throws the client's errors. */
  static async takeOver(leaders: Leaders, place: LedgerPlace): Promise<LedgerTransactions> {
    const { transactionalId } = place;
    const identity = await leaders.atCoordinator(
      transactionalId,
      (broker) => broker.initProducerId({ transactionalId, transactionTimeout: TRANSACTION_TIMEOUT_MS }),
      TAKE_OVER_PATIENCE_MS,
    );
    return new LedgerTransactions(leaders, place, identity);
  }

  /** Rises with every take-over: the coordinator counts epochs, and producer ids once 32,767 of them are used up. */
  get epoch(): number {
    return Number(this.#identity.producerId) * 0x8000 + this.#identity.producerEpoch;
  }

  /**
   * All records in one transaction, or none. Throws `FencedError` and the client's errors, after which this must not be
   * used again: what became of the transaction is known once the partition has been taken over.
   */
  async append(records: readonly NewRecord[]): Promise<Place> {
    try {
      return await this.#append(records);
    } catch (error) {
      if (!fenced.has(answerTypeOf(error) ?? '')) throw error;
      throw new FencedError(`another writer has taken partition ${this.#place.partition} over`, { cause: error });
    }
  }

  async #append(records: readonly NewRecord[]): Promise<Place> {
    const { topic, partition, transactionalId } = this.#place;
    const leaders = this.#leaders;
    const identity = this.#identity;
    const asked = { transactionalId, ...identity, topics: [{ topic, partitions: [partition] }] };
    await leaders.atCoordinator(transactionalId, (broker) => broker.addPartitionsToTxn(asked), PATIENCE_MS);
    const batch = { topic, partition, transactionalId, identity, records, firstSequence: this.#sequence };
    const place = await leaders.atLeader(topic, partition, (broker) => produceBatch(broker, batch), PATIENCE_MS);
    this.#sequence = nextSequence(this.#sequence, records.length);
    // Asked again, the coordinator answers as it did: a commit whose answer was lost is asked for until it is known.
    const commit = { transactionalId, ...identity, transactionResult: true };
    await leaders.atCoordinator(transactionalId, (broker) => broker.endTxn(commit), PATIENCE_MS);
    return place;
  }
}
