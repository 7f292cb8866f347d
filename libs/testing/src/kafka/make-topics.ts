// A log's topics for one test, with a prefix of their own.
import { randomBytes } from 'node:crypto';
import { type Admin, ConfigResourceTypes, Kafka, logLevel } from 'kafkajs';
import { topicNames } from '#event-log-kafka';
import type { KafkaAddress } from '#runtime';

/** Enough for one append, as in production. */
const MOST_BYTES = 16 * 1024 * 1024;

export interface TestTopics {
  readonly address: KafkaAddress;
  /** The most bytes that a batch to the inbox or the ledger may have from now on. */
  bound(bytes: number): Promise<void>;
  drop(): Promise<void>;
}

/** Topics as they should be, once their leaders are known. */
export async function makeTopics(
  brokers: readonly string[],
  partitionCount: number,
  replicationFactor = 1,
): Promise<TestTopics> {
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const address: KafkaAddress = { brokers, prefix };
  const { inbox, ledger, snapshots } = topicNames(address);
  const topics = [inbox, ledger, snapshots];
  const configured = (bytes: number) =>
    Object.entries({
      'message.timestamp.type': 'LogAppendTime',
      'max.message.bytes': String(bytes),
      'retention.ms': '-1',
      'min.insync.replicas': String(Math.max(1, replicationFactor - 1)),
    }).map(([name, value]) => ({ name, value }));
  const withAdmin = async (use: (admin: Admin) => Promise<unknown>): Promise<void> => {
    const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING, retry: { retries: 20 } }).admin();
    await admin.connect();
    try {
      await use(admin);
    } finally {
      await admin.disconnect();
    }
  };
  await withAdmin((admin) =>
    admin.createTopics({
      waitForLeaders: true,
      topics: topics.map((topic) => ({
        topic,
        numPartitions: partitionCount,
        replicationFactor,
        configEntries: configured(MOST_BYTES),
      })),
    }),
  );
  return {
    address,
    bound: (bytes) =>
      withAdmin((admin) =>
        admin.alterConfigs({
          validateOnly: false,
          resources: [inbox, ledger].map((name) => ({
            type: ConfigResourceTypes.TOPIC,
            name,
            configEntries: configured(bytes),
          })),
        }),
      ),
    drop: () =>
      withAdmin(async (admin) => {
        // Told twice, where the first answer took too long, it is gone already.
        await admin.deleteTopics({ topics }).catch(async (error: unknown) => {
          const left = await admin.listTopics();
          if (topics.some((topic) => left.includes(topic))) throw error;
        });
      }),
  };
}
