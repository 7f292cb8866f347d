// Opens the log in a PostgreSQL database: checks the server, makes the schema, and begins to listen.
import { Client, type ClientBase, type ClientConfig, Pool } from 'pg';
import { type EventLog, LogEnds } from '#event-log';
import type { Clock } from '#runtime';
import { assertDurable, assertUtf8 } from './durability.ts';
import { toLogFault } from './log-fault.ts';
import { listenerName, Notifications } from './notifications.ts';
import { PostgresEventLog } from './postgres-event-log.ts';
import { prepareSchema } from './schema.ts';

export interface PostgresEventLogOptions {
  /** `postgresql://…`. */
  readonly databaseUrl: string;
  /** Fixed once the log is made. */
  readonly partitionCount: number;
  /** Connections for appending and reading, 10 unless given; one more listens. */
  readonly connectionCount?: number;
  /** What waits are measured by. */
  readonly clock: Clock;
  /** Told of faults that nobody's call can be told of: a lost idle or listening connection. */
  readonly report?: (fault: unknown) => void;
  /** Lets a server do that does not flush what it commits. */
  readonly unsafeForTests?: boolean;
}

/**
 * Opens the log, making it where there is none. Throws `LogUnavailableError`, and `LogMisconfiguredError` where the
 * log has another partition count or a newer schema, or where the server is not durable.
 */
export async function openPostgresEventLog(options: PostgresEventLogOptions): Promise<EventLog> {
  const { databaseUrl, partitionCount, clock, report = () => undefined } = options;
  const config: ClientConfig = {
    connectionString: databaseUrl,
    application_name: 'duewatch-log',
    connectionTimeoutMillis: 10_000,
    statement_timeout: 20_000,
    // Where the network is gone, the server's own timeout never comes back.
    query_timeout: 25_000,
    keepAlive: true,
  };
  const pool = new Pool({ ...config, max: options.connectionCount ?? 10 });
  pool.on('error', (error) => report(toLogFault(error)));
  // The listening connection writes nothing that must last.
  const makeClient = () =>
    new Client({ ...config, application_name: listenerName, options: '-c synchronous_commit=off' });
  const ends = new LogEnds(clock);
  const notifications = new Notifications({ pool, makeClient, ends, clock, report });
  try {
    await onConnection(pool, async (client) => {
      await assertUtf8(client);
      if (options.unsafeForTests !== true) await assertDurable(client);
      await prepareSchema(client, partitionCount);
    });
    await notifications.start();
  } catch (error) {
    await pool.end();
    throw toLogFault(error);
  }
  return new PostgresEventLog(partitionCount, pool, ends, notifications);
}

async function onConnection(pool: Pool, use: (client: ClientBase) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await use(client);
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}
