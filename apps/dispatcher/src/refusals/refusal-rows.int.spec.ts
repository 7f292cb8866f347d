// What keeps one tenant's refusals from being in the way of another's, and one agent's from filling the table.
import type { DataSource } from 'typeorm';
import type { ExpectationRefused } from '#expectations';
import { createDatabase, expectationRefused, type TestDatabase } from '#testing';
import { openDispatchDatabase } from '../outbox/dispatch-database.ts';
import { Outbox } from '../outbox/outbox.ts';
import { foldRefusals, type RefusalChange } from './refusal-change.ts';
import { RefusalRows } from './refusal-rows.ts';

const partition = 3;
const now = new Date('2026-09-02T00:00:00Z');
const later = new Date('2026-09-02T00:01:00Z');

let server: TestDatabase;
let database: DataSource;
let rows: RefusalRows;
let offset = 0;

beforeAll(async () => {
  server = await createDatabase();
  database = await openDispatchDatabase(server.url);
});
afterAll(async () => {
  await database.destroy();
  await server.drop();
});
beforeEach(async () => {
  await database.query('TRUNCATE duewatch_dispatch.refusal, duewatch_dispatch.told_context');
  const outbox = new Outbox(database, partition);
  await outbox.takeOver();
  rows = new RefusalRows(database, partition, outbox.ownership);
});

function refused(tenant: string, agentId: string): RefusalChange {
  const event: ExpectationRefused = {
    ...expectationRefused({ agentId, at: now.toISOString() }),
    ...{ contextId: 'context', reported: true },
  };
  return { type: 'refused', tenant, event, place: { ledgerOffset: (offset += 1), eventIndex: 0 } };
}

const fold = (changes: readonly RefusalChange[]) => foldRefusals(database.manager, partition, changes, now);

it('a tenant of which many agents wait, and enough are told, hides no other', async () => {
  const many = Array.from({ length: 300 }, (_, nth) => refused('mallory', `agent-${nth}`));
  await fold([...many, refused('acme', 'booking')]);
  const due = await rows.due(later, [], ['mallory']);
  expect(due.map(({ tenant, agentId }) => [tenant, agentId])).toEqual([['acme', 'booking']]);
});

it('of one agent a thousand wait, however many are refused at once, and another’s are not counted with them', async () => {
  await fold(Array.from({ length: 990 }, () => refused('acme', 'booking')));
  await fold([...Array.from({ length: 1_500 }, () => refused('acme', 'booking')), refused('acme', 'else')]);
  const counts = await database.query<{ count: number }[]>(
    'SELECT count(*)::int AS count FROM duewatch_dispatch.refusal GROUP BY agent_key ORDER BY 1',
  );
  expect(counts.map(({ count }) => count)).toEqual([1, 1_000]);
});
