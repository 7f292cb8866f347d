// How many alerts are remembered, and for how long.
import type { DataSource } from 'typeorm';
import { createDatabase, expectationLapsed, schemaDifferences, type TestDatabase } from '#testing';
import { openDispatchDatabase } from '../outbox/dispatch-database.ts';
import { expectationKeyOf } from '../outbox/lapse-key.ts';
import { AlertRows } from './alert-rows.ts';
import { noticedOf } from './notice.ts';

const now = new Date('2026-09-02T00:00:00Z');
const dayMs = 86_400_000;

let server: TestDatabase;
let database: DataSource;
let rows: AlertRows;

beforeAll(async () => {
  server = await createDatabase();
  database = await openDispatchDatabase(server.url);
  rows = new AlertRows(database, 0);
});
afterAll(async () => {
  await database.destroy();
  await server.drop();
});
beforeEach(() => database.query('TRUNCATE duewatch_dispatch.alert'));

async function raise(sinkId: string, ids: readonly string[], at = now): Promise<void> {
  const lapses = ids.map((expectationId) => noticedOf(expectationLapsed({ expectationId })));
  const group = { tenant: 'acme', sinkId, groupKey: sinkId, agentId: 'booking', kind: 'k', moreCount: 0, dueAt: at };
  await rows.raise(database.manager, [{ ...group, lapses, isAlerting: true }], at);
}

const openOf = async (expectationId: string, at = now): Promise<readonly string[]> =>
  (await rows.open([expectationKeyOf('acme', 'booking', expectationId)], at)).map(({ sinkId }) => sinkId);

it('no more than ten thousand and a few of a sink, and another sink loses nothing by it', async () => {
  await raise(
    'many',
    Array.from({ length: 10_000 }, (_, nth) => `e${nth}`),
  );
  await raise('many', ['one more']);
  await raise('few', ['one more']);
  await expect(openOf('one more')).resolves.toEqual(['few']);
  await expect(openOf('e9999')).resolves.toEqual(['many']);
});

it('until a sink has ended it by itself', async () => {
  await raise('alerts', ['e1']);
  await expect(openOf('e1', new Date(now.getTime() + 2 * dayMs - 1))).resolves.toEqual(['alerts']);
  await expect(openOf('e1', new Date(now.getTime() + 2 * dayMs))).resolves.toEqual([]);
  await raise('alerts', ['e2'], new Date(now.getTime() + 2 * dayMs));
  await expect(database.query<unknown[]>('SELECT FROM duewatch_dispatch.alert')).resolves.toHaveLength(1);
});

it('of an id that is used again the last, and of one that is closed its end alone', async () => {
  await raise('alerts', ['e1']);
  const closing = { expectationKey: expectationKeyOf('acme', 'booking', 'e1'), at: now };
  await rows.close(database.manager, [closing]);
  await expect(openOf('e1')).resolves.toEqual([]);
  await raise('alerts', ['e1']);
  await expect(openOf('e1')).resolves.toEqual(['alerts']);
  await rows.close(database.manager, [closing]);
  const ends = await rows.takeClosed(database.manager, 'alerts', 10);
  expect(ends).toMatchObject([{ closedAt: now.toISOString(), lapse: { expectationId: 'e1' } }]);
  await expect(rows.takeClosed(database.manager, 'alerts', 10)).resolves.toEqual([]);
});

it('in tables as their entities say', async () => {
  expect(await schemaDifferences(database)).toEqual([]);
});
