// The agent host's own tables (schema `duewatch_host`): tasks and their events, sessions, queued work, push configurations.
// They are tables of record: of a task that is lost nobody knows.
import type { DataSource } from 'typeorm';
import { openOwnSchema, StorageUnavailableError } from '#runtime';
import { DuePushes1800000003000 } from '../push/due-pushes.migration.ts';
import { ExternalWaits1800000004000 } from '../work/external-waits.migration.ts';
import { PassedOnWork1800000005000 } from '../work/passed-on-work.migration.ts';
import { HostTables1800000000000 } from './host-tables.migration.ts';
import { ReminderTables1800000001000 } from './reminder-tables.migration.ts';
import { Retention1800000002000 } from './retention.migration.ts';

/** Connects and migrates. The caller destroys it. Throws the driver's error where the database cannot be reached. */
export function openHostDatabase(databaseUrl: string): Promise<DataSource> {
  return openOwnSchema({
    databaseUrl,
    schema: 'duewatch_host',
    migrationLock: 0x64756768,
    poolSize: 10,
    entities: [],
    migrations: [
      HostTables1800000000000,
      ReminderTables1800000001000,
      Retention1800000002000,
      DuePushes1800000003000,
      ExternalWaits1800000004000,
      PassedOnWork1800000005000,
    ],
  });
}

/** Resolves while the database takes writes; a standby, to which a name may lead after a failover, takes none. */
export async function checkWrites(database: DataSource): Promise<void> {
  const [row] = await database.query<{ is_read_only: boolean }[]>(
    "SELECT current_setting('transaction_read_only')::boolean AS is_read_only",
  );
  if (row?.is_read_only !== false) throw new StorageUnavailableError('the database takes no writes');
}
