// Statements that lock many rows come in turn with a run of the ledger, which locks them in another order.
import type { DataSource } from 'typeorm';
import { createDatabase, expectationLapsed, type TestDatabase, until } from '#testing';
import { openDispatchDatabase } from './dispatch-database.ts';
import { agentKeyOf } from './lapse-key.ts';
import { toChange } from './ledger-change.ts';
import { Outbox } from './outbox.ts';

let server: TestDatabase;
let database: DataSource;
let outbox: Outbox;

const now = new Date('2026-09-02T00:00:00Z');
const lapses = ['e1', 'e2', 'e3'].map((expectationId) => expectationLapsed({ expectationId }));
const waiting = () => outbox.oldest(agentKeyOf('acme', 'booking'), 10, now);

beforeAll(async () => {
  server = await createDatabase();
  database = await openDispatchDatabase(server.url);
});
afterAll(async () => {
  await database.destroy();
  await server.drop();
});
beforeEach(async () => {
  await database.query('TRUNCATE duewatch_dispatch.outbox, duewatch_dispatch.ledger_position');
  outbox = new Outbox(database, 0);
  await outbox.takeOver();
  const changes = lapses.flatMap((event) => toChange('acme', event, { ledgerOffset: 0, eventIndex: 0 }) ?? []);
  await outbox.follow(changes, 1, now);
});

/** How many others of this database wait for a lock. */
async function lockWaitsCount(): Promise<number> {
  const waits = await database.query<unknown[]>(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return waits.length;
}

/** Does it while a run of the ledger has begun, and rows of it are yet to come. In which order the two were done. */
async function duringARun(write: () => Promise<void>): Promise<readonly string[]> {
  const done: string[] = [];
  const runner = database.createQueryRunner();
  await runner.startTransaction();
  await runner.query('UPDATE duewatch_dispatch.ledger_position SET next_offset = 2 WHERE partition = 0');
  const writing = write().then(() => done.push('write'));
  await until(async () => done.length > 0 || (await lockWaitsCount()) > 0, 'the write to be done, or to wait');
  await runner.query('UPDATE duewatch_dispatch.outbox SET next_at = next_at');
  // Once it commits, nobody knows which of the two is heard of first.
  if (!done.includes('write')) done.push('run');
  await runner.commitTransaction();
  await runner.release();
  await writing;
  return done;
}

it('leave is asked for after the run', async () => {
  const pending = await waiting();
  expect(await duringARun(() => outbox.ask(pending, now))).toEqual(['run', 'write']);
  expect((await waiting()).map(({ state }) => state)).toEqual(['asked', 'asked', 'asked']);
});

it('what was told is written down after the run', async () => {
  await outbox.ask(await waiting(), now);
  const reports = await outbox.reports(10);
  expect(await duringARun(() => outbox.told(reports))).toEqual(['run', 'write']);
  await expect(outbox.reports(10)).resolves.toEqual([]);
});
