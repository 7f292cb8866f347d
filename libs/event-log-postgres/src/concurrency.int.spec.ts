// What only a real database can get wrong: late commits, lost connections, lost notifications, takeovers under way.
import { Client } from 'pg';
import { type EventLog, FencedError, LogUnavailableError } from '#event-log';
import { systemClock } from '#runtime';
import { createDatabase, type TestDatabase, until } from '#testing';
import { openPostgresEventLog } from './open.ts';

const longMs = 600_000;
const one = { tenant: 'acme', value: new Uint8Array([1]) };

/** What another process does when it appends, up to its commit, as SQL. */
const appendByHand = (topic: 'inbox' | 'ledger') => `
  WITH head AS (
    UPDATE duewatch_log.head SET end_offset = end_offset + 1 WHERE topic = '${topic}' AND partition = 0
    RETURNING end_offset - 1 AS at
  ) INSERT INTO duewatch_log.${topic} SELECT 0, at, 0, 'acme', '' FROM head`;

describe('the log in PostgreSQL, beside other processes', () => {
  let database: TestDatabase;
  let log: EventLog;
  let neighbour: Client;
  let observer: Client;
  const faults: unknown[] = [];

  beforeEach(async () => {
    database = await createDatabase();
    log = await openPostgresEventLog({
      databaseUrl: database.url,
      partitionCount: 2,
      clock: systemClock,
      unsafeForTests: true,
      report: (fault) => faults.push(fault),
    });
    neighbour = new Client({ connectionString: database.url });
    observer = new Client({ connectionString: database.url });
    await Promise.all([neighbour.connect(), observer.connect()]);
  });
  afterEach(async () => {
    await Promise.all([neighbour.end(), observer.end()]);
    await log.close();
    await database.drop();
  });

  /** Resolves once so many of the log's sessions wait for a lock. */
  async function untilBlocked(count: number): Promise<void> {
    const blocked = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await until(async () => ((await observer.query(blocked)).rowCount ?? 0) >= count, `${count} that wait for a lock`);
  }

  async function endSessions(name: string): Promise<void> {
    await observer.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1',
      [name],
    );
  }

  it('never shows a record before an earlier one that commits late', async () => {
    await neighbour.query('BEGIN');
    await neighbour.query(appendByHand('inbox'));
    const appending = log.append(0, [one]);
    await untilBlocked(1);
    expect(await log.read('inbox', 0, { from: 0, limit: 10 })).toEqual([]);
    await neighbour.query('COMMIT');
    expect((await appending).offsets).toEqual([1]);
    expect((await log.read('inbox', 0, { from: 0, limit: 10 })).map(({ offset }) => offset)).toEqual([0, 1]);
  });

  it('stamps a record after the lock is had, not when it was asked for', async () => {
    await neighbour.query('BEGIN');
    await neighbour.query(appendByHand('inbox'));
    const appending = log.append(0, [one]);
    await untilBlocked(1);
    const { rows } = await neighbour.query<{ now: string }>(
      'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
    );
    await neighbour.query('COMMIT');
    expect((await appending).appendedAt).toBeGreaterThanOrEqual(Number(rows[0]!.now));
  });

  it('gives the same offset again after a neighbour’s append was rolled back', async () => {
    await neighbour.query('BEGIN');
    await neighbour.query(appendByHand('inbox'));
    const appending = log.append(0, [one]);
    await untilBlocked(1);
    await neighbour.query('ROLLBACK');
    expect((await appending).offsets).toEqual([0]);
  });

  it('commits the appends of one process in groups', async () => {
    await Promise.all(Array.from({ length: 200 }, () => log.append(0, [one])));
    const { rows } = await neighbour.query<{ transactions: number }>(
      'SELECT count(DISTINCT xmin::text)::integer AS transactions FROM duewatch_log.inbox',
    );
    expect(rows[0]!.transactions).toBeLessThan(10);
  });

  it('takes a partition over only after the append that is under way, and then fences its writer', async () => {
    const old = await log.openWriter(0, 'old');
    await neighbour.query('BEGIN');
    await neighbour.query(appendByHand('ledger'));
    const taking = log.openWriter(0, 'young');
    await untilBlocked(1);
    const late = old.append([one]);
    late.catch(() => undefined);
    await untilBlocked(2);
    await neighbour.query('COMMIT');
    await taking;
    const { end } = await log.bounds('ledger', 0);
    const fate = await late.catch((error: unknown) => error);
    // Whichever of the two had the lock first: what was written stood before the takeover.
    if (fate instanceof Error) expect(fate).toBeInstanceOf(FencedError);
    await expect(old.append([one])).rejects.toThrow(FencedError);
    expect((await log.bounds('ledger', 0)).end).toBe(end);
  });

  it('wakes who waits although the notification was lost', async () => {
    const waiting = log.waitFor('inbox', 0, 0, longMs);
    await neighbour.query(appendByHand('inbox'));
    await waiting;
    expect(await log.read('inbox', 0, { from: 0, limit: 1 })).toHaveLength(1);
  });

  it('goes on after its connections were ended, saying so to whom it concerned', async () => {
    await log.append(0, [one]);
    await neighbour.query('BEGIN');
    await neighbour.query(appendByHand('inbox'));
    const appending = log.append(0, [one]);
    await untilBlocked(1);
    const told = expect(appending).rejects.toThrow(LogUnavailableError);
    await endSessions('duewatch-log');
    await told;
    await neighbour.query('COMMIT');
    expect((await log.append(0, [one])).offsets).toEqual([2]);
  });

  it('listens again after the listening connection was ended', async () => {
    // Connected is not yet listening: that is its first query.
    const listening = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1
      AND state = 'idle' AND query <> ''`;
    const isListening = async () => (await observer.query(listening, ['duewatch-log-listen'])).rowCount === 1;
    await until(isListening, 'the listening connection');
    faults.length = 0;
    await endSessions('duewatch-log-listen');
    await until(async () => faults.length > 0 && (await isListening()), 'another');
    expect(faults[0]).toBeInstanceOf(LogUnavailableError);
    const waiting = log.waitFor('inbox', 0, 0, longMs);
    await neighbour.query(appendByHand('inbox'));
    await neighbour.query(`SELECT pg_notify('duewatch_log', 'inbox 0 1')`);
    await waiting;
  });
});
