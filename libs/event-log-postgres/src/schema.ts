// The log's own schema. It must never be changed in place: a change is another step, at the end of the list.
import type { ClientBase } from 'pg';
import { LogMisconfiguredError } from '#event-log';

/** The advisory lock under which one process at a time makes or changes the schema. */
const migrationLock = 0x64756c6f;

// `head` is a partition's counter and, as a row lock, what orders its appends; `epoch` fences its ledger's writers.
// `clock()` is the log's only clock, so that a test can replace it. Instants are epoch milliseconds.
const steps: readonly string[] = [
  `
  CREATE FUNCTION duewatch_log.clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT clock_timestamp()';

  CREATE TABLE duewatch_log.head (
    topic text NOT NULL,
    partition integer NOT NULL,
    end_offset bigint NOT NULL DEFAULT 0,
    epoch bigint NOT NULL DEFAULT 0,
    deployment text,
    PRIMARY KEY (topic, partition)
  ) WITH (fillfactor = 50);

  CREATE TABLE duewatch_log.inbox (
    partition integer NOT NULL,
    record_offset bigint NOT NULL,
    appended_at bigint NOT NULL,
    tenant text,
    value bytea NOT NULL,
    PRIMARY KEY (partition, record_offset)
  );

  CREATE TABLE duewatch_log.ledger (LIKE duewatch_log.inbox INCLUDING ALL);
  `,
  // A snapshot is whole once its row is there; chunks without one are of a save that was cut short.
  `
  CREATE TABLE duewatch_log.snapshot (
    partition integer PRIMARY KEY,
    save bigint NOT NULL,
    ledger_offset bigint NOT NULL
  );

  CREATE SEQUENCE duewatch_log.save;

  CREATE TABLE duewatch_log.snapshot_chunk (
    partition integer NOT NULL,
    save bigint NOT NULL,
    number integer NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (partition, save, number)
  );
  `,
];

/**
 * Makes the schema or brings it up to date; does nothing, and needs no right to, where it is.
 * Throws `LogMisconfiguredError` where the log has another partition count or a newer schema. Where it throws, the
 * client is to be destroyed: a transaction may be open.
 */
export async function prepareSchema(client: ClientBase, partitionCount: number): Promise<void> {
  const found = await readOrigin(client);
  if (found?.version !== steps.length) {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    await migrate(client, partitionCount);
    await client.query('COMMIT');
  }
  const recorded = found?.partitionCount ?? (await readOrigin(client))?.partitionCount;
  if (recorded !== partitionCount) {
    throw new LogMisconfiguredError(
      'partition_count',
      `this log was made with ${String(recorded)} partitions and cannot be opened with ${partitionCount}, because ` +
        `tenants would be looked for in the wrong ones: set DUEWATCH_PARTITIONS=${String(recorded)}, or begin a new ` +
        'log in another database',
    );
  }
}

interface Origin {
  readonly version: number;
  readonly partitionCount: number;
}

async function readOrigin(client: ClientBase): Promise<Origin | undefined> {
  // Not `to_regclass`: within a transaction it may answer as before the lock was waited for.
  const made = await client.query(
    `SELECT FROM pg_catalog.pg_tables WHERE schemaname = 'duewatch_log' AND tablename = 'origin'`,
  );
  if (made.rowCount === 0) return undefined;
  const { rows } = await client.query<Origin>(
    'SELECT version, partition_count AS "partitionCount" FROM duewatch_log.origin',
  );
  return rows[0];
}

async function migrate(client: ClientBase, partitionCount: number): Promise<void> {
  const found = await readOrigin(client);
  if (found === undefined) await makeOrigin(client, partitionCount);
  const version = found?.version ?? 0;
  if (version > steps.length) {
    throw new LogMisconfiguredError(
      'newer_schema',
      `the log's schema has version ${version} and this program knows ${steps.length}: run a newer Duewatch`,
    );
  }
  for (const step of steps.slice(version)) await client.query(step);
  await client.query('UPDATE duewatch_log.origin SET version = $1', [steps.length]);
  if (found === undefined) await makeHeads(client, partitionCount);
}

/** What the log was made with, in its one row. */
async function makeOrigin(client: ClientBase, partitionCount: number): Promise<void> {
  await client.query('CREATE SCHEMA IF NOT EXISTS duewatch_log');
  await client.query(`
    CREATE TABLE duewatch_log.origin (
      sole boolean PRIMARY KEY DEFAULT true CHECK (sole),
      version integer NOT NULL,
      partition_count integer NOT NULL
    )`);
  await client.query('INSERT INTO duewatch_log.origin (version, partition_count) VALUES (0, $1)', [partitionCount]);
}

async function makeHeads(client: ClientBase, partitionCount: number): Promise<void> {
  await client.query(
    `INSERT INTO duewatch_log.head (topic, partition)
     SELECT topic, partition FROM unnest(ARRAY['inbox', 'ledger']) AS topic, generate_series(0, $1 - 1) AS partition`,
    [partitionCount],
  );
}
