// Where a log and its snapshots are, as plain data, so that a thread of its own can open them.
import type { EventLog, SnapshotStore } from '#event-log';
import { KafkaEventLog, KafkaSnapshotStore } from '#event-log-kafka';
import { openPostgresEventLog, PostgresSnapshotStore } from '#event-log-postgres';
import { type KafkaAddress, systemClock } from '#runtime';

export type LogAddress =
  | { readonly store: 'postgres'; readonly databaseUrl: string; readonly partitionCount: number }
  | { readonly store: 'kafka'; readonly kafka: KafkaAddress; readonly partitionCount: number };

export interface LogAtHand {
  readonly log: EventLog;
  readonly snapshots: SnapshotStore;
  close(): Promise<void>;
}

/** Opens them for one reader that appends nothing. Throws what the log throws. */
export async function openLogAt(address: LogAddress): Promise<LogAtHand> {
  switch (address.store) {
    case 'postgres': {
      const { databaseUrl, partitionCount } = address;
      const log = await openPostgresEventLog({ databaseUrl, partitionCount, connectionCount: 2, clock: systemClock });
      const snapshots = new PostgresSnapshotStore(databaseUrl);
      const close = async (): Promise<void> => {
        await snapshots.close();
        await log.close();
      };
      return { log, snapshots, close };
    }
    case 'kafka': {
      const { kafka, partitionCount } = address;
      const log = new KafkaEventLog({ address: kafka, partitionCount, clock: systemClock });
      const snapshots = new KafkaSnapshotStore(kafka, systemClock);
      const close = async (): Promise<void> => {
        await snapshots.close();
        await log.close();
      };
      return { log, snapshots, close };
    }
  }
}
