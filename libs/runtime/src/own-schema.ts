// A process's own tables in a schema of its own: connected, and brought up to date by one process at a time.
import { DataSource, type DataSourceOptions } from 'typeorm';

export interface OwnSchema {
  readonly databaseUrl: string;
  /** The schema; `duewatch_read` connects as `duewatch-read`. */
  readonly schema: `duewatch_${string}`;
  /** The advisory lock under which one process at a time migrates. */
  readonly migrationLock: number;
  readonly poolSize: number;
  readonly entities: NonNullable<DataSourceOptions['entities']>;
  readonly migrations: NonNullable<DataSourceOptions['migrations']>;
  readonly namingStrategy?: NonNullable<DataSourceOptions['namingStrategy']>;
}

/** Connects and migrates; the caller destroys it. Throws the driver's error where the database cannot be reached. */
export async function openOwnSchema(own: OwnSchema): Promise<DataSource> {
  const { databaseUrl, migrationLock, poolSize, ...options } = own;
  const database = new DataSource({
    type: 'postgres',
    url: databaseUrl,
    migrationsTableName: 'migration',
    applicationName: own.schema.replace('_', '-'),
    extra: { max: poolSize },
    ...options,
  });
  await database.initialize();
  try {
    await migrate(database, own.schema, migrationLock);
  } catch (error) {
    await database.destroy();
    throw error;
  }
  return database;
}

async function migrate(database: DataSource, schema: string, lock: number): Promise<void> {
  const runner = database.createQueryRunner();
  try {
    await runner.query('SELECT pg_advisory_lock($1)', [lock]);
    await runner.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await database.runMigrations({ transaction: 'each' });
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [lock]);
    await runner.release();
  }
}
