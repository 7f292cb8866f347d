// Topics that others write facts to, for tests.
import { type Admin, CompressionTypes, Kafka, logLevel, type Message, type Producer } from 'kafkajs';
import { topicNames } from '#event-log-kafka';
import type { KafkaAddress } from '#runtime';

export interface TestFeeds {
  /** Makes the tenant's topic; gives its name. */
  make(tenant: string, partitionCount?: number, settings?: Readonly<Record<string, string>>): Promise<string>;
  /** Gives it so many partitions. */
  grow(topic: string, partitionCount: number): Promise<void>;
  /** One batch. A value that is none of text or bytes is written as JSON. */
  write(topic: string, values: readonly unknown[], partition?: number): Promise<void>;
  /** One batch, by gzip. */
  compressed(topic: string, values: readonly string[]): Promise<void>;
  /** Lets go of what is before the offset in its first partition. */
  letGo(topic: string, before: number): Promise<void>;
  /** In a transaction that is aborted. */
  abort(topic: string, values: readonly unknown[]): Promise<void>;
  /** Up to where the group has committed each partition; -1 where it never has. */
  positions(groupId: string, topic: string): Promise<readonly number[]>;
  close(): Promise<void>;
}

export async function openTestFeeds({ brokers, prefix }: KafkaAddress): Promise<TestFeeds> {
  const kafka = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING, retry: { retries: 20 } });
  const admin: Admin = kafka.admin();
  const producer: Producer = kafka.producer({ allowAutoTopicCreation: false, metadataMaxAge: 500 });
  const transactional: Producer = kafka.producer({
    ...{ allowAutoTopicCreation: false, transactionalId: `${prefix}-feeder`, idempotent: true, maxInFlightRequests: 1 },
  });
  await Promise.all([admin.connect(), producer.connect()]);
  const topics: string[] = [];
  return {
    make: async (tenant, partitionCount = 1, settings = {}) => {
      const topic = `${topicNames({ prefix }).factsStem}${tenant}`;
      const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
      await admin.createTopics({
        topics: [{ topic, numPartitions: partitionCount, configEntries }],
        waitForLeaders: true,
      });
      topics.push(topic);
      return topic;
    },
    grow: async (topic, count) => {
      await admin.createPartitions({ topicPartitions: [{ topic, count }] });
    },
    write: async (topic, values, partition = 0) => {
      await producer.send({ topic, messages: values.map((value) => ({ value: toValue(value), partition })) });
    },
    compressed: async (topic, values) => {
      const messages = values.map((value) => ({ value, partition: 0 }));
      await producer.send({ topic, messages, compression: CompressionTypes.GZIP });
    },
    letGo: async (topic, before) => {
      await admin.fetchTopicOffsets(topic);
      await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: String(before) }] });
    },
    abort: async (topic, values) => {
      await transactional.connect();
      const transaction = await transactional.transaction();
      await transaction.send({ topic, messages: values.map((value) => ({ value: toValue(value), partition: 0 })) });
      await transaction.abort();
    },
    positions: async (groupId, topic) => {
      const [fetched] = await admin.fetchOffsets({ groupId, topics: [topic] });
      return [...(fetched?.partitions ?? [])]
        .sort((a, b) => a.partition - b.partition)
        .map(({ offset }) => Number(offset));
    },
    close: async () => {
      if (topics.length > 0) await admin.deleteTopics({ topics }).catch(() => undefined);
      await Promise.all([admin.disconnect(), producer.disconnect(), transactional.disconnect()]);
    },
  };
}

function toValue(value: unknown): Message['value'] {
  if (value === null || typeof value === 'string' || Buffer.isBuffer(value)) return value;
  return JSON.stringify(value);
}
