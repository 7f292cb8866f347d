// What waited before there were pauses is held by them like anything else.
import { openOwnSchema } from '#runtime';
import { createDatabase, expectationLapsed, schemaDifferences, type TestDatabase } from '#testing';
import { openDispatchDatabase } from './dispatch-database.ts';
import { DispatchTables1790000000000 } from './dispatch-tables.migration.ts';
import { agentKeyOf } from './lapse-key.ts';
import { toChange } from './ledger-change.ts';
import { Outbox } from './outbox.ts';
import { PartitionOwner1790000001000 } from './partition-owner.migration.ts';

let server: TestDatabase;

beforeAll(async () => {
  server = await createDatabase();
});
afterAll(() => server.drop());

it('finds a lapse of before by its tenant, kind and subject', async () => {
  const before = await openOwnSchema({
    ...{ databaseUrl: server.url, schema: 'duewatch_dispatch', migrationLock: 1, poolSize: 2, entities: [] },
    migrations: [DispatchTables1790000000000, PartitionOwner1790000001000],
  });
  const event = expectationLapsed();
  const agentKey = agentKeyOf('acme', event.agentId);
  await before.query(
    `INSERT INTO duewatch_dispatch.outbox (lapse_key, agent_key, partition, lapsed, state, attempt, next_at, closed)
     SELECT 'k' || n, $1, 0, $2, 'pending', 1, '2026-01-01', false FROM generate_series(1, 1500) AS n`,
    [agentKey, JSON.stringify({ tenant: 'acme', event })],
  );
  await before.destroy();

  const database = await openDispatchDatabase(server.url);
  const outbox = new Outbox(database, 0);
  await outbox.takeOver();
  const now = new Date('2026-09-02T00:00:00Z');
  const { kind, subject } = event.lapse;
  const until = '2026-09-03T00:00:00Z';
  const paused = { type: 'dispatchPaused', at: '2026-09-01T00:00:00Z', reason: 'r', by: 'olga', until } as const;
  const waiting = async (): Promise<number> => (await outbox.oldest(agentKey, 2_000, now)).length;
  const pause = (pauseId: string, scope: object, tenant = 'acme') =>
    outbox.follow(
      [toChange(tenant, { ...paused, pauseId, scope }, { ledgerOffset: 0, eventIndex: 0 }) ?? []].flat(),
      1,
      now,
    );
  await pause('of another tenant', {}, 'globex');
  await pause('of another kind', { kind: 'another', subject });
  expect(await waiting()).toBe(1_500);
  await pause('p', { kind, subject });
  expect(await waiting()).toBe(0);
  expect(await outbox.nextAt(agentKey, now)).toEqual(new Date(until));
  expect(await schemaDifferences(database)).toEqual([]);
  await database.destroy();
});
