// One batch of records to one partition: as Kafka appends it, all of it or nothing, at one instant.
import assert from 'node:assert/strict';
import { type NewRecord, type Place, toSafeText } from '#event-log';
import { type Broker, protocolError, type ProducerIdentity } from './kafkajs-parts.ts';

/** How long the leader waits for its followers. */
const REPLICATION_TIMEOUT_MS = 5_000;

export interface Batch {
  readonly topic: string;
  readonly partition: number;
  readonly records: readonly NewRecord[];
  /** By which the broker knows a batch that it has already. */
  readonly firstSequence: number;
  readonly identity: ProducerIdentity;
  readonly transactionalId?: string;
}

/** Where the leader put it. Throws the client's errors; of what was not answered nothing is known. */
export async function produceBatch(broker: Broker, batch: Batch): Promise<Place> {
  const { topic, partition, records, firstSequence, identity, transactionalId } = batch;
  const messages = records.map(({ tenant, value }) => ({
    key: tenant === null ? null : Buffer.from(toSafeText(tenant)),
    value: Buffer.from(value.buffer, value.byteOffset, value.byteLength),
  }));
  const { topics } = await broker.produce({
    acks: -1,
    timeout: REPLICATION_TIMEOUT_MS,
    transactionalId,
    ...identity,
    topicData: [{ topic, partitions: [{ partition, firstSequence, messages }] }],
  });
  const answer = topics[0]?.partitions[0];
  assert(answer !== undefined, 'a produce request is answered for its partition');
  if (answer.errorCode !== 0) throw protocolError(answer.errorCode);
  return { first: Number(answer.baseOffset), appendedAt: Number(answer.logAppendTime) };
}

/** The sequence after so many records: it counts up to 2^31 and begins again. */
export function nextSequence(sequence: number, count: number): number {
  return (sequence + count) % 0x80000000;
}
