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

// Whoever waits for an answer is told within that time that there is none: a server may be stopped, or its machine gone.
const patience = { connectionTimeoutMillis: 10_000, query_timeout: 25_000, keepAlive: true };

/** Connects and migrates; the caller destroys it. Throws the driver's error where the database cannot be reached. */
export async function openOwnSchema(own: OwnSchema): Promise<DataSource> {
  // A migration may take its time, and has its own connections for it.
  const migrating = await connect(own, {});
  try {
    await migrate(migrating, own.schema, own.migrationLock);
  } finally {
    await migrating.destroy();
  }
  return connect(own, patience);
}

async function connect(own: OwnSchema, extra: object): Promise<DataSource> {
  const { databaseUrl, migrationLock: _, poolSize, ...options } = own;
  const database = new DataSource({
    type: 'postgres',
    url: databaseUrl,
    migrationsTableName: 'migration',
    applicationName: own.schema.replace('_', '-'),
    extra: { max: poolSize, ...extra },
    ...options,
  });
  return database.initialize();
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
