// The log in PostgreSQL keeps the contract of all logs.
import { Client } from 'pg';
import type { EventLog } from '#event-log';
import { systemClock } from '#runtime';
import { createDatabase, describeEventLog, type TestDatabase } from '#testing';
import { openPostgresEventLog } from './open.ts';

let database: TestDatabase;
beforeAll(async () => (database = await createDatabase()));
afterAll(() => database.drop());

async function query(sql: string): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

function setClock(instant: string): Promise<void> {
  return query(
    `CREATE OR REPLACE FUNCTION duewatch_log.clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT ${instant}'`,
  );
}

describeEventLog('the log in PostgreSQL', async () => {
  const logs: EventLog[] = [];
  const open = async (): Promise<EventLog> => {
    const log = await openPostgresEventLog({
      databaseUrl: database.url,
      partitionCount: 4,
      clock: systemClock,
      unsafeForTests: true,
    });
    logs.push(log);
    return log;
  };
  const [log, other] = [await open(), await open()];
  return {
    log,
    other,
    setClock: (clock) => setClock(`to_timestamp(${clock} / 1000.0)`),
    breakAppends: () => setClock('to_timestamp(1 / (random() * 0)::integer)'),
    mendAppends: () => setClock('clock_timestamp()'),
    reopen: async () => {
      await log.close();
      return open();
    },
    close: async () => {
      await Promise.all(logs.map((one) => one.close()));
      await query('DROP SCHEMA duewatch_log CASCADE');
    },
  };
});
