// The dispatcher's own tables (schema `duewatch_dispatch`): its outbox and how far it has followed the ledger.
// Both can be dropped: they are folded from the ledger again, and what was under way is then unknown.
import { DataSource } from 'typeorm';
import { DispatchTables1790000000000 } from './dispatch-tables.migration.ts';
import { LedgerPosition } from './ledger-position.entity.ts';
import { OutboxRow } from './outbox-row.entity.ts';

/** The injection token of the dispatcher's `DataSource`. */
export const DISPATCH_DATABASE = Symbol('DispatchDatabase');

/** The advisory lock under which one process at a time migrates. */
const migrationLock = 0x64756464;

/** Connects and migrates. The caller destroys it. Throws the driver's error where the database cannot be reached. */
export async function openDispatchDatabase(databaseUrl: string, poolSize = 10): Promise<DataSource> {
  const database = new DataSource({
    type: 'postgres',
    url: databaseUrl,
    schema: 'duewatch_dispatch',
    entities: [OutboxRow, LedgerPosition],
    migrations: [DispatchTables1790000000000],
    migrationsTableName: 'migration',
    applicationName: 'duewatch-dispatch',
    extra: { max: poolSize },
  });
  await database.initialize();
  try {
    await migrate(database);
  } catch (error) {
    await database.destroy();
    throw error;
  }
  return database;
}

async function migrate(database: DataSource): Promise<void> {
  const runner = database.createQueryRunner();
  try {
    await runner.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    await runner.query('CREATE SCHEMA IF NOT EXISTS duewatch_dispatch');
    await database.runMigrations({ transaction: 'each' });
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [migrationLock]);
    await runner.release();
  }
}
