// What is to be done so that topics are as they should be. Pure. It never plans what a log would not survive.
import { PARTITION_FUNCTION } from '#event-log';
import type { DesiredSetting, DesiredTopic, DesiredTopics } from './desired-topics.ts';
import { counted, type RefusalReason, type TopicStep } from './topic-step.ts';

export interface ActualSetting {
  readonly value: string;
  /** Set on the topic itself, and not by the broker's defaults. */
  readonly isOwn: boolean;
}

export interface ActualTopic {
  readonly partitionCount: number;
  /** Of the partition with the fewest. */
  readonly replicationFactor: number;
  readonly settings: ReadonlyMap<string, ActualSetting>;
  /** Whether it holds records, or once did. */
  readonly isUsed: boolean;
}

export interface ActualTopics {
  /** By name, those of the desired that are there. */
  readonly topics: ReadonlyMap<string, ActualTopic>;
  /** The names of all topics that record how tenants are spread. */
  readonly partitionings: readonly string[];
  /** Absent where nobody asked. */
  readonly brokerCount?: number;
}

/** All steps; none where everything is as it should be. */
export function planTopics(desired: DesiredTopics, actual: ActualTopics): readonly TopicStep[] {
  const steps = desired.topics.flatMap((topic) => planTopic(topic, actual));
  return [...steps, ...planPartitioning(desired, actual)];
}

/** How many replicas must have a record before it counts as appended: what one broker alone has is lost with it. */
export function leastInsync(replicationFactor: number): number {
  return replicationFactor >= 3 ? 2 : 1;
}

function planTopic(desired: DesiredTopic, actual: ActualTopics): TopicStep[] {
  const found = actual.topics.get(desired.name);
  if (found === undefined) return [planCreation(desired, actual)];
  return [
    ...planCount(desired, found),
    ...planReplication(desired, found),
    ...[...desired.settings, insync(desired, found)].flatMap((setting) => planSetting(desired.name, setting, found)),
  ];
}

function planCreation(desired: DesiredTopic, { brokerCount }: ActualTopics): TopicStep {
  const { name, partitionCount, replicationFactor } = desired;
  if (brokerCount !== undefined && brokerCount < replicationFactor) {
    const wanted = `${counted(replicationFactor, 'replica')}, and the cluster has ${counted(brokerCount, 'broker')}`;
    const sentence = `${name} is missing and would need ${wanted}: start more, or ask for fewer with --replication`;
    return refusal(name, 'too_few_brokers', sentence);
  }
  const settings = Object.fromEntries(desired.settings.map((setting) => [setting.name, setting.value]));
  return {
    step: 'create',
    topic: name,
    isBreaking: true,
    partitionCount,
    replicationFactor,
    settings: { ...settings, 'min.insync.replicas': String(leastInsync(replicationFactor)) },
  };
}

function planCount({ name, partitionCount, isPartitioned }: DesiredTopic, found: ActualTopic): TopicStep[] {
  if (!isPartitioned || found.partitionCount === partitionCount) return [];
  const sentence =
    `${name} has ${counted(found.partitionCount, 'partition')} and ${partitionCount} are configured: a tenant’s place ` +
    `depends on the number, which is fixed once the log exists. Set DUEWATCH_PARTITIONS=${found.partitionCount} where ` +
    'all topics of the log have that many, or begin a new log under another DUEWATCH_KAFKA_PREFIX';
  return [refusal(name, 'partition_count', sentence)];
}

function planReplication({ name, replicationFactor }: DesiredTopic, found: ActualTopic): TopicStep[] {
  if (found.replicationFactor >= replicationFactor) return [];
  const sentence =
    `${name} has ${counted(found.replicationFactor, 'replica')} of each partition and should have ` +
    `${replicationFactor}: brokers that are lost take records with them. Add replicas with Kafka’s own ` +
    `kafka-reassign-partitions, or say with --replication ${found.replicationFactor} that it is meant`;
  return [{ ...refusal(name, 'too_few_replicas', sentence), isBreaking: false }];
}

/** More than the least is the operator's choice, as long as it can be met. */
function insync({ isRecord }: DesiredTopic, { replicationFactor }: ActualTopic): DesiredSetting {
  const least = leastInsync(replicationFactor);
  return {
    name: 'min.insync.replicas',
    value: String(least),
    allows: (actual) => Number(actual) >= least && Number(actual) <= replicationFactor,
    purpose: `an append is kept by ${counted(least, 'replica')} of ${replicationFactor} at least, and can be`,
    isNeeded: (actual) => isRecord || Number(actual) > replicationFactor,
  };
}

function planSetting(topic: string, setting: DesiredSetting, found: ActualTopic): TopicStep[] {
  const { name, value, allows = (actual: string) => actual === value, purpose, isNeeded } = setting;
  const from = found.settings.get(name)?.value;
  // A broker that does not know a setting cannot have it wrong.
  if (from === undefined || allows(from)) return [];
  return [{ step: 'configure', topic, isBreaking: isNeeded(from), setting: name, from, to: value, purpose }];
}

function planPartitioning(desired: DesiredTopics, actual: ActualTopics): TopicStep[] {
  const { partitioning, partitioningStem, partitionCount } = desired;
  const others = actual.partitionings.filter((name) => name !== partitioning.name);
  const [other] = others;
  if (other !== undefined) {
    const recorded = other.slice(partitioningStem.length);
    const sentence =
      `the topic ${other} says that tenants are spread by ${recorded}, and this is ${PARTITION_FUNCTION}.` +
      `${partitionCount}: they would be looked for in the wrong partitions. Configure as many partitions and run the ` +
      'version that the log was made with, or begin a new log under another DUEWATCH_KAFKA_PREFIX';
    return [refusal(other, 'other_partitioning', sentence)];
  }
  if (actual.topics.has(partitioning.name)) return [];
  const used = desired.topics.find(({ name, isRecord }) => isRecord && actual.topics.get(name)?.isUsed);
  if (used === undefined) return [planCreation(partitioning, actual)];
  const sentence =
    `the topic ${partitioning.name}, which records how tenants are spread, is missing, though ${used.name} has been ` +
    'written. Where it was only deleted, and the log was made with as many partitions, create it by hand, with one ' +
    'partition; else restore the log, or begin a new one under another DUEWATCH_KAFKA_PREFIX';
  return [refusal(partitioning.name, 'partitioning_unrecorded', sentence)];
}

function refusal(topic: string, reason: RefusalReason, sentence: string): TopicStep & { readonly step: 'refuse' } {
  return { step: 'refuse', topic, isBreaking: true, reason, sentence };
}
