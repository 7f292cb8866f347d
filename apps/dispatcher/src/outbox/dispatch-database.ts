// The dispatcher's own tables (schema `duewatch_dispatch`): its outbox, the pauses and settle times that it heeds, the
// notices that wait for people, the alerts that sinks hold, the refusals and reminders that wait for agents, and how far it
// has followed the ledger. All can be dropped: they are folded from the ledger again, and what was under way is then unknown.
import type { DataSource } from 'typeorm';
import { openOwnSchema } from '#runtime';
import { AlertRow } from '../notices/alert.entity.ts';
import { Alerts1799000002000 } from '../notices/alerts.migration.ts';
import { NoticeRow } from '../notices/notice.entity.ts';
import { Notices1799000000000 } from '../notices/notices.migration.ts';
import { RefusalToTell, ToldContext } from '../refusals/refusal.entity.ts';
import { Refusals1800000000000 } from '../refusals/refusals.migration.ts';
import { ReminderRow } from '../reminders/reminder.entity.ts';
import { Reminders1802000000000 } from '../reminders/reminders.migration.ts';
import { ToldTasks1801000000000 } from '../refusals/told-tasks.migration.ts';
import { AbandonedAttempt1798000000000 } from './abandoned-attempt.migration.ts';
import { DispatchTables1790000000000 } from './dispatch-tables.migration.ts';
import { Holds1797000000000 } from './holds.migration.ts';
import { LedgerPosition } from './ledger-position.entity.ts';
import { OneFollowing1799000001000 } from './one-following.migration.ts';
import { OutboxRow } from './outbox-row.entity.ts';
import { PartitionOwner1790000001000 } from './partition-owner.migration.ts';
import { PauseRow, SettleTimeRow } from './pause-row.entity.ts';

/** The injection token of the dispatcher's `DataSource`. */
export const DISPATCH_DATABASE = Symbol('DispatchDatabase');

/** Connects and migrates. The caller destroys it. Throws the driver's error where the database cannot be reached. */
export function openDispatchDatabase(databaseUrl: string, poolSize = 10): Promise<DataSource> {
  return openOwnSchema({
    databaseUrl,
    schema: 'duewatch_dispatch',
    migrationLock: 0x64756464,
    poolSize,
    entities: [
      ...[OutboxRow, LedgerPosition, PauseRow, SettleTimeRow, NoticeRow, AlertRow],
      ...[RefusalToTell, ToldContext, ReminderRow],
    ],
    migrations: [
      DispatchTables1790000000000,
      PartitionOwner1790000001000,
      Holds1797000000000,
      AbandonedAttempt1798000000000,
      Notices1799000000000,
      OneFollowing1799000001000,
      Alerts1799000002000,
      Refusals1800000000000,
      ToldTasks1801000000000,
      Reminders1802000000000,
    ],
  });
}
