// The log of a process of several, and how it shares the partitions, as configured. The only place that knows of both.
import type { EventLog, PartitionShare, SnapshotStore } from '#event-log';
import type { Config } from '#runtime';
import type { LogAddress } from '../../../timekeeper/src/timekeeper.module.ts';
import { CommandError, ExitCode } from '../exit-code.ts';
import type { Opened } from './opened.ts';

export interface SharedLog {
  readonly log: EventLog;
  /** How the processes of a role share the partitions. */
  readonly share: PartitionShare;
  readonly snapshots: SnapshotStore;
  /** Where a thread of its own opens it; absent where it is in this process's memory. */
  readonly address?: LogAddress;
}

/** Opens it, to be closed with the rest of what is opened. Throws what the log throws. */
export type OpenLog = (config: Config, opened: Opened) => Promise<SharedLog>;

/** The log on Kafka. */
export const openConfiguredLog: OpenLog = () =>
  Promise.reject(new CommandError(ExitCode.wrongUse, 'the log on Kafka cannot be opened yet'));
