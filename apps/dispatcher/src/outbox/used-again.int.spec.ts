// An id that the watcher had forgotten and that is used again: its lapse is another, and is submitted like any other.
import type { DataSource } from 'typeorm';
import { createDatabase, dispatchAttempted, dispatchVoided, expectationLapsed, type TestDatabase } from '#testing';
import { openDispatchDatabase } from './dispatch-database.ts';
import { toChange } from './ledger-change.ts';
import { agentKeyOf } from './lapse-key.ts';
import { Outbox } from './outbox.ts';

let server: TestDatabase;
let database: DataSource;
let outbox: Outbox;
let nextOffset = 0;

beforeAll(async () => {
  server = await createDatabase();
  database = await openDispatchDatabase(server.url);
  outbox = new Outbox(database, 0);
  await outbox.takeOver();
});
afterAll(async () => {
  await database.destroy();
  await server.drop();
});
beforeEach(() => database.query('TRUNCATE duewatch_dispatch.outbox'));

const now = new Date('2026-09-02T00:00:00Z');
const first = expectationLapsed({ at: '2026-09-01T01:00:00Z' });
const second = expectationLapsed({ at: '2026-12-31T01:00:00Z', messageId: 'lapse:e1:overdue:2026-12-31T00:00:00Z' });

async function follow(...events: readonly Parameters<typeof toChange>[1][]): Promise<void> {
  nextOffset += 1;
  const changes = events.flatMap((event) => toChange('acme', event, { ledgerOffset: 0, eventIndex: 0 }) ?? []);
  await outbox.follow(changes, nextOffset, now);
}

const waiting = () => outbox.oldest(agentKeyOf('acme', first.agentId), 10, now);

it('waits for leave of its own where what may be with the agent of the first was never settled', async () => {
  await follow(first, dispatchAttempted(), dispatchVoided(), second);
  await expect(waiting()).resolves.toMatchObject([{ state: 'pending', attempt: 1, closed: false, lapsed: second }]);
});

it('is left as it is where the ledger is read again', async () => {
  await follow(first, dispatchAttempted(), dispatchVoided(), second, dispatchAttempted());
  await follow(second);
  await expect(waiting()).resolves.toMatchObject([{ state: 'unknown', closed: false, lapsed: second }]);
});

it('takes nothing from how an attempt of the first has ended', async () => {
  await follow(first);
  const [lapse] = await waiting();
  await follow(dispatchVoided(), first, dispatchAttempted(), dispatchVoided(), second);
  const settled = await outbox.settle(lapse!, now, () => ({ remove: true }));
  expect({ settled: settled !== undefined, lapses: (await waiting()).length }).toEqual({ settled: false, lapses: 1 });
});
