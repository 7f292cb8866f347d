// A log's topics for one test, with a prefix of their own.
import { randomBytes } from 'node:crypto';
import kafkajs, { type Admin } from 'kafkajs';
import { applyTopics, topicNames } from '#event-log-kafka';
import type { KafkaAddress } from '#runtime';
import { until } from '../dispatch/dispatch-story.ts';

const { ConfigResourceTypes, Kafka, logLevel } = kafkajs;

const MOST_BYTES = 16 * 1024 * 1024;

export interface TestTopics {
  readonly address: KafkaAddress;
  /** No batch to the inbox or the ledger is taken from now on. */
  refuseBatches(): Promise<void>;
  takeBatches(): Promise<void>;
  drop(): Promise<void>;
}

/** Topics as they should be. */
export async function makeTopics(
  brokers: readonly string[],
  partitionCount: number,
  replicationFactor = 1,
): Promise<TestTopics> {
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const address: KafkaAddress = { brokers, prefix };
  const { inbox, ledger } = topicNames(address);
  const apply = async (): Promise<void> => {
    await applyTopics(address, { partitionCount, replicationFactor });
  };
  await apply();
  /** A change is answered before the broker itself knows of it. */
  const known = (admin: Admin, bytes: string): Promise<unknown> =>
    until(async () => {
      const configNames = ['max.message.bytes'];
      const { resources } = await admin.describeConfigs({
        includeSynonyms: false,
        resources: [inbox, ledger].map((name) => ({ type: ConfigResourceTypes.TOPIC, name, configNames })),
      });
      return resources.every(({ configEntries }) => configEntries[0]?.configValue === bytes);
    }, 'the topics’ new setting');
  return {
    address,
    refuseBatches: () =>
      withAdmin(brokers, async (admin) => {
        const resources = [inbox, ledger].map((name) => ({ type: ConfigResourceTypes.TOPIC, name }));
        const configEntries = [
          { name: 'max.message.bytes', value: '1' },
          { name: 'message.timestamp.type', value: 'LogAppendTime' },
        ];
        await admin.alterConfigs({
          validateOnly: false,
          resources: resources.map((resource) => ({ ...resource, configEntries })),
        });
        await known(admin, '1');
      }),
    takeBatches: async () => {
      await apply();
      await withAdmin(brokers, (admin) => known(admin, String(MOST_BYTES)));
    },
    drop: () => deleteTopicsOf(address),
  };
}

/** All topics of a log, and what else begins with its prefix. */
export async function deleteTopicsOf({ brokers, prefix }: Pick<KafkaAddress, 'brokers' | 'prefix'>): Promise<void> {
  await withAdmin(brokers, async (admin) => {
    const own = async (): Promise<string[]> =>
      (await admin.listTopics()).filter((topic) => topic.startsWith(`${prefix}.`));
    // Told twice, where the first answer took too long, they are gone already.
    await admin.deleteTopics({ topics: await own() }).catch(async (error: unknown) => {
      if ((await own()).length > 0) throw error;
    });
  });
}

/** A look at the brokers, or a change, of the test's own. */
export async function withAdmin<T>(brokers: readonly string[], use: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING, retry: { retries: 20 } }).admin();
  await admin.connect();
  try {
    return await use(admin);
  } finally {
    await admin.disconnect();
  }
}
