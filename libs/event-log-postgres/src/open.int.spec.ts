// Opening the log: made once, by whoever is first; refused where it would go wrong.
import { Client } from 'pg';
import { type EventLog, LogUnavailableError } from '#event-log';
import { findFreePort, systemClock } from '#runtime';
import { createDatabase, type TestDatabase } from '#testing';
import { openPostgresEventLog, type PostgresEventLogOptions } from './open.ts';

describe('opening the log', () => {
  let database: TestDatabase;
  const logs: EventLog[] = [];

  beforeEach(async () => (database = await createDatabase()));
  afterEach(async () => {
    await Promise.all(logs.splice(0).map((log) => log.close()));
    await database.drop();
  });

  async function open(options: Partial<PostgresEventLogOptions> = {}): Promise<EventLog> {
    const defaults = { databaseUrl: database.url, partitionCount: 4, clock: systemClock, unsafeForTests: true };
    const log = await openPostgresEventLog({ ...defaults, ...options });
    logs.push(log);
    return log;
  }

  async function query(sql: string): Promise<void> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(sql);
    await client.end();
  }

  it('makes it once, however many processes are first', async () => {
    const opened = await Promise.all([open(), open(), open(), open()]);
    for (const log of opened) await log.append(3, [{ tenant: null, value: new Uint8Array(1) }]);
    expect(await opened[0].bounds('inbox', 3)).toEqual({ earliest: 0, end: 4 });
  });

  it('refuses another partition count, and says what to do', async () => {
    await open();
    const refused = open({ partitionCount: 8 });
    await expect(refused).rejects.toMatchObject({ name: 'LogMisconfiguredError', reason: 'partition_count' });
    await expect(refused).rejects.toThrow('DUEWATCH_PARTITIONS=4');
  });

  it('refuses a schema made by a newer program', async () => {
    await open();
    await query('UPDATE duewatch_log.origin SET version = 99');
    await expect(open()).rejects.toMatchObject({ name: 'LogMisconfiguredError', reason: 'newer_schema' });
  });

  it('refuses a server that does not flush what it commits, and names the settings', async () => {
    const refused = open({ unsafeForTests: false });
    await expect(refused).rejects.toMatchObject({ name: 'LogMisconfiguredError', reason: 'not_durable' });
    await expect(refused).rejects.toThrow('fsync and full_page_writes and synchronous_commit off');
  });

  it('needs no right to make anything where it is made', async () => {
    await open();
    const role = new URL(database.url).pathname.slice(1);
    await query(`
      CREATE ROLE ${role} LOGIN PASSWORD 'plain';
      GRANT USAGE ON SCHEMA duewatch_log TO ${role};
      GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA duewatch_log TO ${role}`);
    const url = Object.assign(new URL(database.url), { username: role, password: 'plain' });
    const log = await open({ databaseUrl: url.href });
    expect((await log.append(0, [{ tenant: null, value: new Uint8Array(1) }])).offsets).toEqual([0]);
    await log.close();
    await query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  it('is unavailable where nobody listens', async () => {
    const databaseUrl = `postgresql://nobody@127.0.0.1:${await findFreePort()}/none`;
    await expect(open({ databaseUrl })).rejects.toThrow(LogUnavailableError);
  });
});
