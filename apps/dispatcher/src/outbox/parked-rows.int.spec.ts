// A parked row that is tried again: neither an old report nor a void that comes meanwhile loses what is known of it.
import type { DataSource } from 'typeorm';
import {
  createDatabase,
  dispatchAttempted,
  dispatchFailed,
  dispatchVoided,
  expectationLapsed,
  type TestDatabase,
} from '#testing';
import { parked } from './after-attempt.ts';
import { openDispatchDatabase } from './dispatch-database.ts';
import { agentKeyOf, lapseKeyOf } from './lapse-key.ts';
import { toChange } from './ledger-change.ts';
import type { LedgerChange } from './ledger-change.ts';
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
const lapsed = expectationLapsed();
const agentKey = agentKeyOf('acme', lapsed.agentId);
const lapseKey = lapseKeyOf('acme', lapsed.agentId, lapsed.expectationId, lapsed.lapse.lapse);
const retried: LedgerChange = { type: 'retried', agentKey, lapseKey };
const declared: LedgerChange = { type: 'declared', agentKey };

async function follow(...changes: readonly LedgerChange[]): Promise<void> {
  nextOffset += 1;
  await outbox.follow(changes, nextOffset, now);
}

const of = (...events: readonly Parameters<typeof toChange>[1][]): readonly LedgerChange[] =>
  events.flatMap((event) => toChange('acme', event, { ledgerOffset: 0, eventIndex: 0 }) ?? []);

const waiting = () => outbox.oldest(agentKey, 10, now);

it('is not reported as parked once it is retried, though the log was told and nobody noted it', async () => {
  await follow(...of(lapsed, dispatchAttempted()));
  const [lapse] = await waiting();
  await outbox.settle(lapse!, now, (row) => parked(row, 'no'));
  await expect(outbox.reports(10)).resolves.toHaveLength(1);
  await follow(...of(dispatchFailed({ outcome: 'parked' })), retried);
  await expect(outbox.reports(10)).resolves.toEqual([]);
  await expect(waiting()).resolves.toMatchObject([{ state: 'unknown', lastOutcome: null }]);
});

it('is looked for all the same where it is void while it is looked for: the agent may have it', async () => {
  await follow(...of(lapsed, dispatchAttempted(), dispatchFailed({ outcome: 'parked' })), declared);
  await follow(...of(dispatchVoided({ attempt: 0 })));
  await expect(waiting()).resolves.toMatchObject([{ state: 'unknown', closed: true }]);
});
