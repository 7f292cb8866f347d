// The topics of a log as they should be. Pure; what each setting is for is said where it is asked for.
import { PARTITION_FUNCTION } from '#event-log';
import { topicNames } from '../topic-names.ts';

/** One setting that a topic should have. */
export interface DesiredSetting {
  readonly name: string;
  readonly value: string;
  /** Whether a topic may keep what it has. Where this is absent, only what `value` says. */
  readonly allows?: (actual: string) => boolean;
  /** What the setting keeps from happening, to follow "so that". */
  readonly purpose: string;
  /** Whether nothing may run on a topic that has `actual` instead. */
  readonly isNeeded: (actual: string) => boolean;
}

export interface DesiredTopic {
  readonly name: string;
  readonly partitionCount: number;
  /** Whether the number of partitions is part of what the log is. */
  readonly isPartitioned: boolean;
  readonly replicationFactor: number;
  /** Whether a broker that is lost must not take anything with it. */
  readonly isRecord: boolean;
  /** `min.insync.replicas` aside: that depends on the replicas there are. */
  readonly settings: readonly DesiredSetting[];
}

export interface DesiredTopics {
  readonly topics: readonly DesiredTopic[];
  /** By its name alone it records how tenants are spread over the partitions. It holds nothing. */
  readonly partitioning: DesiredTopic;
  /** What the name of any such topic begins with. */
  readonly partitioningStem: string;
  readonly partitionCount: number;
}

export interface TopicsWanted {
  readonly prefix: string;
  readonly partitionCount: number;
  readonly replicationFactor: number;
}

/** One append is one record batch, and an append is of 16 MiB at most. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
const DEAD_LETTER_RETENTION_MS = 30 * 86_400_000;

const always = (): boolean => true;
const never = (): boolean => false;

const logTime: DesiredSetting = {
  name: 'message.timestamp.type',
  value: 'LogAppendTime',
  purpose: 'the time of a record is when the log took it, and no client’s',
  isNeeded: always,
};
const cleanElection: DesiredSetting = {
  name: 'unclean.leader.election.enable',
  value: 'false',
  purpose: 'no broker that lacks records becomes their leader',
  isNeeded: always,
};
const readableBatches: DesiredSetting = {
  name: 'compression.type',
  value: 'uncompressed',
  allows: (actual) => ['uncompressed', 'gzip'].includes(actual),
  purpose: 'a batch that somebody compressed in another way stops no reader',
  isNeeded: always,
};
const largeBatches: DesiredSetting = {
  name: 'max.message.bytes',
  value: String(MAX_BATCH_BYTES),
  allows: (actual) => Number(actual) >= MAX_BATCH_BYTES,
  purpose: 'an append of any size that is allowed is taken whole',
  isNeeded: always,
};

/** The topics of the log under a prefix. */
export function desiredTopics({ prefix, partitionCount, replicationFactor }: TopicsWanted): DesiredTopics {
  const names = topicNames({ prefix });
  const partitioned = { partitionCount, isPartitioned: true, replicationFactor };
  const single = { partitionCount: 1, isPartitioned: false, replicationFactor, isRecord: false };
  const partitioningStem = `${prefix}.partitioning.`;
  return {
    topics: [
      {
        name: names.inbox,
        ...partitioned,
        isRecord: true,
        settings: [logTime, ...kept('nothing undecided is lost'), largeBatches, readableBatches, cleanElection],
      },
      {
        name: names.ledger,
        ...partitioned,
        isRecord: true,
        settings: [logTime, ...kept('nothing decided is lost'), largeBatches, readableBatches, cleanElection],
      },
      {
        name: names.snapshots,
        ...partitioned,
        isRecord: false,
        settings: [...kept('a start is quick', false), largeBatches, readableBatches, cleanElection],
      },
      {
        name: names.deadLetters,
        ...single,
        settings: [
          cleanupByDelete('what could not be read is kept for a while', never),
          retention('retention.ms', DEAD_LETTER_RETENTION_MS, 'what could not be read is kept for a while', never),
          largeBatches,
          readableBatches,
          cleanElection,
        ].map((setting) => ({ ...setting, isNeeded: never })),
      },
    ],
    partitioning: {
      name: `${partitioningStem}${PARTITION_FUNCTION}.${partitionCount}`,
      ...single,
      settings: [],
    },
    partitioningStem,
    partitionCount,
  };
}

/** Without end: whoever writes the topic lets go of what is of no more use. */
function kept(purpose: string, isRecord = true): DesiredSetting[] {
  const isNeeded = isRecord ? always : never;
  return [
    // `compact` rids a topic of records; no policy at all, as newer brokers allow it, keeps them as well.
    cleanupByDelete(purpose, (actual) => isRecord && actual.includes('compact')),
    retention('retention.ms', -1, purpose, isNeeded),
    retention('retention.bytes', -1, purpose, isNeeded),
  ];
}

function cleanupByDelete(purpose: string, isNeeded: DesiredSetting['isNeeded']): DesiredSetting {
  return { name: 'cleanup.policy', value: 'delete', purpose, isNeeded };
}

function retention(name: string, value: number, purpose: string, isNeeded: () => boolean): DesiredSetting {
  return { name, value: String(value), purpose, isNeeded };
}
