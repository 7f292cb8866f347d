// The log of a process of several, and how it shares the partitions, as configured. The only place that knows of both.
import assert from 'node:assert/strict';
import { type Feeds, MeasuredEventLog, type PartitionShare, type SnapshotStore } from '#event-log';
import { KafkaFeeds, KafkaPartitionShare, KafkaSnapshotStore, openKafkaEventLog } from '#event-log-kafka';
import { type Config, systemClock } from '#runtime';
import type { LogAddress } from '../../../timekeeper/src/timekeeper.module.ts';
import type { Opened } from './opened.ts';

export interface SharedLog {
  readonly log: MeasuredEventLog;
  /** How the processes of a role share the partitions. */
  readonly share: PartitionShare;
  readonly snapshots: SnapshotStore;
  /** The feeds of facts beside it; absent where there are none. */
  readonly feeds?: Feeds;
  /** Where a thread of its own opens it; absent where it is in this process's memory. */
  readonly address?: LogAddress;
}

/** Opens it, to be closed with the rest of what is opened. Throws what the log throws. */
export type OpenLog = (config: Config, opened: Opened) => Promise<SharedLog>;

/** The log on Kafka. That it is configured has been seen to. */
export const openConfiguredLog: OpenLog = async ({ kafka, partitionCount, deployment }, opened) => {
  assert(kafka !== undefined, 'an app alone has its log on Kafka');
  const { report } = opened;
  const options = { address: kafka, partitionCount, clock: systemClock, report };
  const log = opened.add(await openKafkaEventLog(options), (open) => open.close());
  const snapshots = opened.add(new KafkaSnapshotStore(kafka, systemClock), (store) => store.close());
  return {
    log: new MeasuredEventLog(log, systemClock),
    share: new KafkaPartitionShare({ ...options, deployment }),
    snapshots,
    feeds: new KafkaFeeds({ ...options, deployment }),
    address: { store: 'kafka', kafka, partitionCount },
  };
};
