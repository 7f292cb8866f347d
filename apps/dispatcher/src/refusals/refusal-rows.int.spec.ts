// What keeps one tenant's refusals from being in the way of another's, and one agent's from filling the table.
import type { DataSource } from 'typeorm';
import type { ExpectationRefused } from '#expectations';
import { createDatabase, expectationRefused, type TestDatabase } from '#testing';
import { openDispatchDatabase } from '../outbox/dispatch-database.ts';
import { agentKeyOf } from '../outbox/lapse-key.ts';
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

function refused(tenant: string, agentId: string, contextId = 'context'): RefusalChange {
  const event: ExpectationRefused = {
    ...expectationRefused({ agentId, at: now.toISOString() }),
    ...{ contextId, reported: true },
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

/** The agent was told of what was refused last. */
function told(agentId: string, contextId: string): RefusalChange {
  const refusals = [{ ledgerOffset: offset, eventIndex: 0 }];
  const event = {
    type: 'refusalTellingEnded',
    at: now.toISOString(),
    agentId,
    contextId,
    refusals,
    outcome: 'told',
  } as const;
  return { type: 'refusalTellingEnded', tenant: 'acme', event };
}

it('an agent that makes a context of everything is told a hundred times a day, and another is as ever', async () => {
  for (let nth = 1; nth <= 100; nth += 1) {
    await fold([refused('acme', 'booking', `context-${nth}`)]);
    await fold([told('booking', `context-${nth}`)]);
  }
  await fold([refused('acme', 'booking', 'context-new'), refused('acme', 'else', 'context-new')]);
  expect(await rows.claim(agentKeyOf('acme', 'booking'), later)).toBeUndefined();
  const [report] = await rows.reports(10);
  expect(report?.text).toContain('its agent was told enough today');
  expect(await rows.claim(agentKeyOf('acme', 'else'), later)).toMatchObject({ contextId: 'context-new' });
  await fold([refused('acme', 'booking', 'context-of-tomorrow')]);
  await rows.told([report!]);
  await database.query(`DELETE FROM duewatch_dispatch.refusal WHERE state = 'ended'`);
  const tomorrow = new Date(now.getTime() + 86_400_000);
  expect(await rows.claim(agentKeyOf('acme', 'booking'), tomorrow)).toMatchObject({ contextId: 'context-of-tomorrow' });
});
