// The edges' own tables (schema `duewatch_edge`): keys, agents, writes not yet answered, quarantine.
// They are tables of record; nothing that is decided may be kept here alone.
import { DataSource } from 'typeorm';
import { Agent } from './agent.entity.ts';
import { ApiKey } from './api-key.entity.ts';
import { EdgeTables1790000000000 } from './edge-tables.migration.ts';
import { QuarantinedFact } from './quarantined-fact.entity.ts';
import { UnansweredWrite } from './unanswered-write.entity.ts';

/** The injection token of the edges' `DataSource`. */
export const EDGE_DATABASE = Symbol('EdgeDatabase');

/** The advisory lock under which one process at a time migrates. */
const migrationLock = 0x64756577;

/** Connects and migrates. The caller destroys it. Throws the driver's error where the database cannot be reached. */
export async function openEdgeDatabase(databaseUrl: string): Promise<DataSource> {
  const database = new DataSource({
    type: 'postgres',
    url: databaseUrl,
    schema: 'duewatch_edge',
    entities: [ApiKey, Agent, UnansweredWrite, QuarantinedFact],
    migrations: [EdgeTables1790000000000],
    migrationsTableName: 'migration',
    applicationName: 'duewatch-edge',
    extra: { max: 10 },
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
    await runner.query('CREATE SCHEMA IF NOT EXISTS duewatch_edge');
    await database.runMigrations({ transaction: 'each' });
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [migrationLock]);
    await runner.release();
  }
}
