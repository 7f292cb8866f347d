// What a test does to a stopped watcher's data itself: records that no edge lets into the log, and what is only a fold of
// the log forgotten.
import { Client } from 'pg';
import { type EventLog, formatPosition, partitionOf } from '#event-log';
import { openPostgresEventLog } from '#event-log-postgres';
import { startEmbeddedPostgres, systemClock } from '#runtime';

/** Of a watcher that is one process. */
const partitionCount = 8;

/** Resolves to the position of the last. */
export async function appendTo(log: EventLog, tenant: string, values: readonly Uint8Array[]): Promise<string> {
  const partition = partitionOf(tenant, log.partitionCount);
  const records = values.map((value) => ({ tenant, value }));
  const { offsets } = await log.append(partition, records);
  return formatPosition({ partition, offset: offsets.at(-1) ?? 0 });
}

export function appendToEmbedded(dataDir: string, tenant: string, values: readonly Uint8Array[]): Promise<string> {
  return withServer(dataDir, async (databaseUrl) => {
    const log = await openPostgresEventLog({ databaseUrl, partitionCount, clock: systemClock });
    try {
      return await appendTo(log, tenant, values);
    } finally {
      await log.close();
    }
  });
}

/** The dispatcher's outbox and the timekeeper's snapshots: both are made again from the ledger. */
export function forgetEmbedded(dataDir: string): Promise<void> {
  return withServer(dataDir, (databaseUrl) =>
    execute(databaseUrl, 'DROP SCHEMA duewatch_dispatch CASCADE; DELETE FROM duewatch_log.snapshot'),
  );
}

export function forgetOutbox(databaseUrl: string): Promise<void> {
  return execute(databaseUrl, 'DROP SCHEMA duewatch_dispatch CASCADE');
}

async function execute(databaseUrl: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
}

async function withServer<T>(dataDir: string, use: (databaseUrl: string) => Promise<T>): Promise<T> {
  const server = await startEmbeddedPostgres({ dataDir, report: () => undefined, onLost: () => undefined });
  try {
    return await use(server.url());
  } finally {
    await server.stop();
  }
}
