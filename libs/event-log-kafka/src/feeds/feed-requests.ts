// What is asked of brokers for feeds. Their answers are read here, part by part: one topic or partition of somebody's that
// is broken must not fail the others.
import {
  type Broker,
  type Decoder,
  DecoderOf,
  FETCH_VERSION,
  METADATA_VERSION,
  READ_COMMITTED,
  requestOf,
  type TopicPartitions,
} from '../kafkajs-parts.ts';
import { type Batches, readBatches } from './read-batches.ts';

/** Who leads each partition of a topic; -1 where nobody does. */
export type TopicLeaders = ReadonlyMap<number, number>;

export interface FedPartition extends Batches {
  readonly topic: string;
  readonly partition: number;
  /** The protocol's, 0 where there is none. */
  readonly errorCode: number;
  readonly lastStableOffset: number;
  readonly abortedTransactions: readonly { readonly producerId: string; readonly firstOffset: string }[];
}

/** Every topic that this client may see. Throws the client's errors. */
export async function topicsOf(broker: Broker): Promise<ReadonlyMap<string, TopicLeaders>> {
  return broker.connectionPool.send({
    ...requestOf('Metadata', METADATA_VERSION, { topics: [], allowAutoTopicCreation: false }),
    response: { decode: async (bytes) => decodeTopics(new DecoderOf(bytes)), parse: async (topics) => topics },
  });
}

function decodeTopics(decoder: Decoder): ReadonlyMap<string, TopicLeaders> {
  decoder.readInt32();
  decoder.readArray((broker) => {
    broker.readInt32();
    broker.readString();
    broker.readInt32();
    broker.readString();
  });
  decoder.readString();
  decoder.readInt32();
  const topics = decoder.readArray((topic) => {
    topic.readInt16();
    const name = topic.readString();
    topic.readBoolean();
    return [name, new Map(topic.readArray(decodeLeader))] as const;
  });
  return new Map(topics);
}

function decodeLeader(decoder: Decoder): readonly [number, number] {
  decoder.readInt16();
  const partition = decoder.readInt32();
  const leader = decoder.readInt32();
  for (let list = 0; list < 3; list += 1) decoder.readArray((replica) => replica.readInt32());
  return [partition, leader];
}

export interface FeedFetch {
  readonly maxWaitTime: number;
  readonly maxBytes: number;
  readonly topics: readonly TopicPartitions<{
    readonly partition: number;
    readonly fetchOffset: string;
    readonly maxBytes: number;
  }>[];
}

/** What comes next in partitions that the broker leads. Throws the client's errors; a partition's is told with it. */
export async function fetchFeeds(broker: Broker, fetch: FeedFetch): Promise<readonly FedPartition[]> {
  const fields = { ...fetch, minBytes: 1, isolationLevel: READ_COMMITTED };
  return broker.connectionPool.send({
    ...requestOf('Fetch', FETCH_VERSION, fields),
    response: { decode: (bytes) => decodeFetched(new DecoderOf(bytes)), parse: async (partitions) => partitions },
  });
}

async function decodeFetched(decoder: Decoder): Promise<readonly FedPartition[]> {
  decoder.readInt32();
  decoder.readInt16();
  decoder.readInt32();
  const topics = decoder.readArray((topic) => {
    const name = topic.readString();
    return topic.readArray((partition) => ({ topic: name, ...decodePartition(partition) }));
  });
  const fed: FedPartition[] = [];
  for (const { bytes, ...partition } of topics.flat()) fed.push({ ...partition, ...(await readBatches(bytes)) });
  return fed;
}

function decodePartition(decoder: Decoder) {
  const partition = decoder.readInt32();
  const errorCode = decoder.readInt16();
  decoder.readInt64();
  const lastStableOffset = Number(decoder.readInt64());
  decoder.readInt64();
  const abortedTransactions = decoder.readArray((aborted) => ({
    producerId: aborted.readInt64().toString(),
    firstOffset: aborted.readInt64().toString(),
  }));
  decoder.readInt32();
  const bytes = decoder.readBytes() ?? Buffer.alloc(0);
  return { partition, errorCode, lastStableOffset, abortedTransactions, bytes };
}
