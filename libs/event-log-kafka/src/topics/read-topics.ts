// The topics as they are. It must never make one by asking for it.
import kafkajs, { type Admin, type PartitionMetadata } from 'kafkajs';
import { LogUnavailableError } from '#event-log';
import { answerTypeOf } from '../kafka-fault.ts';
import type { DesiredTopics } from './desired-topics.ts';
import type { ActualSetting, ActualTopic, ActualTopics } from './plan-topics.ts';

/**
 * Reads what is there of the desired topics. Of all topics of the cluster only where `isWhole` asks for it, or where
 * it is not recorded how tenants are spread: a broken topic of somebody else must not keep us from starting.
 */
export async function readTopics(
  admin: Admin,
  { topics, partitioning, partitioningStem }: DesiredTopics,
  isWhole: boolean,
): Promise<Omit<ActualTopics, 'brokerCount'>> {
  const found = new Map<string, readonly PartitionMetadata[]>();
  for (const { name } of [...topics, partitioning]) {
    const partitions = await readPartitions(admin, name);
    if (partitions !== undefined) found.set(name, partitions);
  }
  const used = new Set<string>();
  for (const { name, isRecord } of topics) {
    if (isRecord && found.has(name) && (await hasRecords(admin, name))) used.add(name);
  }
  const settings = await readSettings(admin, [...found.keys()]);
  const isListed = isWhole || !found.has(partitioning.name);
  const names = isListed ? await admin.listTopics() : [partitioning.name];
  return {
    topics: new Map(
      [...found].map(([name, partitions]): [string, ActualTopic] => [
        name,
        {
          partitionCount: partitions.length,
          replicationFactor: Math.min(...partitions.map(({ replicas }) => replicas.length)),
          settings: settings.get(name) ?? new Map(),
          isUsed: used.has(name),
        },
      ]),
    ),
    partitionings: names.filter((name) => name.startsWith(partitioningStem)).sort(),
  };
}

/** Undefined where there is no such topic. */
async function readPartitions(admin: Admin, name: string): Promise<readonly PartitionMetadata[] | undefined> {
  try {
    const { topics } = await admin.fetchTopicMetadata({ topics: [name] });
    return topics.find((topic) => topic.name === name)?.partitions;
  } catch (error) {
    if (answerTypeOf(error) === 'UNKNOWN_TOPIC_OR_PARTITION') return undefined;
    // The client answers null where no broker answers it, and takes that apart.
    if (error instanceof TypeError) throw new LogUnavailableError('no broker of Kafka answers', { cause: error });
    throw error;
  }
}

/** Also makes the client ask for these topics alone from here on, where it would ask for all of the cluster. */
async function hasRecords(admin: Admin, name: string): Promise<boolean> {
  const partitions = await admin.fetchTopicOffsets(name);
  return partitions.some(({ high }) => high !== '0');
}

async function readSettings(
  admin: Admin,
  names: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, ActualSetting>>> {
  if (names.length === 0) return new Map();
  const { TOPIC } = kafkajs.ConfigResourceTypes;
  const asked = names.map((name) => ({ type: TOPIC, name }));
  const { resources } = await admin.describeConfigs({ resources: asked, includeSynonyms: false });
  const isOwn = (source: kafkajs.ConfigSource) => source === kafkajs.ConfigSource.TOPIC_CONFIG;
  return new Map(
    resources.map(({ resourceName, configEntries }) => [
      resourceName,
      new Map(
        configEntries.map(({ configName, configValue, configSource }): [string, ActualSetting] => [
          configName,
          { value: configValue, isOwn: isOwn(configSource) },
        ]),
      ),
    ]),
  );
}
