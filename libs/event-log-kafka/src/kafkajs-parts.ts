// The inside of kafkajs that the log is built on: its connections to brokers and their requests, one by one. Its consumer
// and producer decide for themselves when to read, to retry and to give up, which here is for the log to decide. The
// version is pinned in package.json; who raises it looks at this file, and the contract tests tell.
import { createRequire } from 'node:module';
import type { KafkaConfig, logCreator, RetryOptions } from 'kafkajs';

const load = createRequire(import.meta.url);

export interface TopicPartitions<Partition> {
  readonly topic: string;
  readonly partitions: readonly Partition[];
}

export interface FetchedMessage {
  readonly offset: string;
  readonly timestamp: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly isControlRecord: boolean;
  readonly batchContext: {
    readonly firstOffset: string;
    readonly lastOffsetDelta: number;
    readonly producerId: string;
    readonly inTransaction: boolean;
  };
}

export interface FetchedPartition {
  readonly partition: number;
  readonly errorCode: number;
  readonly highWatermark: string;
  readonly lastStableOffset: string;
  readonly abortedTransactions: readonly { readonly producerId: string; readonly firstOffset: string }[];
  readonly messages: readonly FetchedMessage[];
}

export interface ProducedPartition {
  readonly partition: number;
  readonly errorCode: number;
  readonly baseOffset: string;
  readonly logAppendTime: string;
}

export interface MessageToProduce {
  readonly key: Buffer | null;
  readonly value: Buffer;
}

/** A producer as the cluster knows it. */
export interface ProducerIdentity {
  /** Decimal. */
  readonly producerId: string;
  readonly producerEpoch: number;
}

/** One broker's requests. Each rejects with kafkajs's errors; `type` names the protocol's. */
export interface Broker {
  fetch(request: {
    readonly isolationLevel: 0 | 1;
    readonly maxWaitTime: number;
    readonly minBytes: number;
    readonly maxBytes: number;
    readonly topics: readonly TopicPartitions<{
      readonly partition: number;
      readonly fetchOffset: string;
      readonly maxBytes: number;
    }>[];
  }): Promise<{
    readonly responses: readonly { readonly topicName: string; readonly partitions: readonly FetchedPartition[] }[];
  }>;
  listOffsets(request: {
    readonly isolationLevel: 0 | 1;
    readonly topics: readonly TopicPartitions<{ readonly partition: number; readonly timestamp: number }>[];
  }): Promise<{
    readonly responses: readonly TopicPartitions<{ readonly partition: number; readonly offset: string }>[];
  }>;
  deleteRecords(request: {
    readonly topics: readonly TopicPartitions<{ readonly partition: number; readonly offset: string }>[];
  }): Promise<unknown>;
  produce(request: {
    readonly acks: -1;
    readonly timeout: number;
    readonly transactionalId?: string | undefined;
    readonly producerId: string;
    readonly producerEpoch: number;
    readonly topicData: readonly TopicPartitions<{
      readonly partition: number;
      readonly firstSequence: number;
      readonly messages: readonly MessageToProduce[];
    }>[];
  }): Promise<{
    readonly topics: readonly { readonly topicName: string; readonly partitions: readonly ProducedPartition[] }[];
  }>;
  initProducerId(request: {
    readonly transactionalId?: string;
    readonly transactionTimeout: number;
  }): Promise<ProducerIdentity>;
  addPartitionsToTxn(
    request: ProducerIdentity & {
      readonly transactionalId: string;
      readonly topics: readonly TopicPartitions<number>[];
    },
  ): Promise<unknown>;
  endTxn(
    request: ProducerIdentity & { readonly transactionalId: string; readonly transactionResult: boolean },
  ): Promise<unknown>;
  joinGroup(request: {
    readonly groupId: string;
    readonly sessionTimeout: number;
    readonly rebalanceTimeout: number;
    readonly memberId: string;
    readonly groupProtocols: readonly { readonly name: string; readonly metadata: Buffer }[];
  }): Promise<{
    readonly generationId: number;
    readonly leaderId: string;
    readonly memberId: string;
    readonly members: readonly { readonly memberId: string; readonly memberMetadata: Buffer }[];
  }>;
  syncGroup(request: {
    readonly groupId: string;
    readonly generationId: number;
    readonly memberId: string;
    readonly groupAssignment: readonly { readonly memberId: string; readonly memberAssignment: Buffer }[];
  }): Promise<{ readonly memberAssignment: Buffer }>;
  heartbeat(request: {
    readonly groupId: string;
    readonly groupGenerationId: number;
    readonly memberId: string;
  }): Promise<unknown>;
  leaveGroup(request: { readonly groupId: string; readonly memberId: string }): Promise<unknown>;
  offsetCommit(request: {
    readonly groupId: string;
    readonly groupGenerationId: number;
    readonly memberId: string;
    readonly topics: readonly TopicPartitions<{ readonly partition: number; readonly offset: string }>[];
  }): Promise<unknown>;
  offsetFetch(request: {
    readonly groupId: string;
    readonly topics: readonly TopicPartitions<{ readonly partition: number }>[];
  }): Promise<{
    readonly responses: readonly TopicPartitions<{ readonly partition: number; readonly offset: string }>[];
  }>;
  /** Where a request goes whose answer is read otherwise than the client would. */
  readonly connectionPool: { send<T>(exchange: Exchange<T>): Promise<T> };
}

/** A request, and how its answer is read. */
export interface Exchange<T> {
  readonly request: unknown;
  readonly requestTimeout?: number;
  readonly response: {
    readonly decode: (bytes: Buffer) => Promise<T>;
    /** Throws what the answer says went wrong. */
    readonly parse: (answer: T) => Promise<T>;
  };
}

/** What is read of an answer, field by field. */
export interface Decoder {
  readonly buffer: Buffer;
  readInt16(): number;
  readInt32(): number;
  readInt64(): { toString(): string };
  readBoolean(): boolean;
  readString(): string;
  readBytes(length?: number): Buffer | null;
  readArray<T>(read: (decoder: Decoder) => T): T[];
}

/** What is known of the brokers, and connections to them: one for fetching and one for the rest of each. */
export interface Cluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  isConnected(): boolean;
  addMultipleTargetTopics(topics: readonly string[]): Promise<void>;
  refreshMetadata(): Promise<void>;
  refreshMetadataIfNecessary(): Promise<void>;
  removeBroker(address: { readonly host: string; readonly port: number }): void;
  findTopicPartitionMetadata(topic: string): readonly { readonly partitionId: number; readonly leader: number }[];
  findBroker(node: { readonly nodeId: number | string }): Promise<Broker>;
  findGroupCoordinator(of: { readonly groupId: string; readonly coordinatorType?: number }): Promise<Broker>;
  getNodeIds(): readonly string[];
}

/** What `findGroupCoordinator` looks for. */
export const GROUP = 0;
export const TRANSACTION = 1;

/** The versions of what is asked and read by hand; brokers from 2.3 to 4 know them. */
export const FETCH_VERSION = 11;
export const METADATA_VERSION = 6;

/** READ_COMMITTED of the protocol. */
export const READ_COMMITTED = 1;

const METADATA_MAX_AGE_MS = 60_000;

interface Connection {
  connect: () => Promise<unknown>;
}

interface ConnectionPoolBuilder {
  build: (...of: readonly unknown[]) => Promise<{ readonly pool: readonly Connection[] }>;
}

interface Parts {
  readonly Cluster: new (options: object) => Cluster & { readonly connectionPoolBuilder: ConnectionPoolBuilder };
  readonly createLogger: (options: { readonly level: number; readonly logCreator: logCreator }) => unknown;
  readonly socketFactory: () => unknown;
  readonly MemberMetadata: Codec<{ version: number; topics: readonly string[]; userData: Buffer }>;
  readonly MemberAssignment: Codec<{
    version: number;
    assignment: Readonly<Record<string, readonly number[]>>;
    userData?: Buffer;
  }>;
}

interface Codec<T> {
  encode(value: T): Buffer;
  decode(bytes: Buffer): T | null;
}

const assigner = load('kafkajs/src/consumer/assignerProtocol.js') as Pick<Parts, 'MemberMetadata' | 'MemberAssignment'>;
const KafkaCluster = load('kafkajs/src/cluster/index.js') as Parts['Cluster'];
const { createLogger } = load('kafkajs/src/loggers/index.js') as Pick<Parts, 'createLogger'>;
const createSocketFactory = load('kafkajs/src/network/socketFactory.js') as Parts['socketFactory'];
const { createErrorFromCode } = load('kafkajs/src/protocol/error.js') as {
  readonly createErrorFromCode: (code: number) => Error;
};

const { requests } = load('kafkajs/src/protocol/requests/index.js') as {
  readonly requests: Readonly<
    Record<
      'Fetch' | 'Metadata',
      { protocol(of: { readonly version: number }): (fields: object) => Omit<Exchange<never>, 'response'> }
    >
  >;
};

/** A request of that version, without how its answer is read. */
export function requestOf(
  name: 'Fetch' | 'Metadata',
  version: number,
  fields: object,
): Omit<Exchange<never>, 'response'> {
  return requests[name].protocol({ version })(fields);
}

export const DecoderOf = load('kafkajs/src/protocol/decoder.js') as new (bytes: Buffer) => Decoder;

/** The records of one batch, whose bytes the decoder stands before. Rejects where they cannot be read. */
export const decodeBatch = load('kafkajs/src/protocol/recordBatch/v0/decoder.js') as (
  decoder: Decoder,
) => Promise<{ readonly records: readonly FetchedMessage[] }>;

/** How members of a group say what they have, and are told what they get. */
export const { MemberMetadata, MemberAssignment } = assigner;

/** The protocol's error behind a code that is not 0. */
export const protocolError = createErrorFromCode;

/** Connections of their own. Nothing is connected yet. What the client logs is told by the errors it throws. */
export function makeCluster(options: KafkaConfig & { readonly retry?: RetryOptions }): Cluster {
  const cluster = new KafkaCluster({
    ...options,
    logger: createLogger({ level: 0, logCreator: () => () => undefined }),
    socketFactory: createSocketFactory(),
    metadataMaxAge: METADATA_MAX_AGE_MS,
    allowAutoTopicCreation: false,
    maxInFlightRequests: null,
    isolationLevel: READ_COMMITTED,
  });
  connectOnce(cluster.connectionPoolBuilder);
  return cluster;
}

/**
 * A connection that several ask for at once kafkajs makes once for each, and forgets all but the last: the others would
 * keep the process from ending, and take the last along when a broker ends them for idleness.
 */
function connectOnce(builder: ConnectionPoolBuilder): void {
  const build = builder.build.bind(builder);
  builder.build = async (...of) => {
    const built = await build(...of);
    for (const connection of built.pool) {
      const connect = connection.connect.bind(connection);
      let connecting: Promise<unknown> | undefined;
      connection.connect = () => (connecting ??= connect().finally(() => (connecting = undefined)));
    }
    return built;
  };
}
