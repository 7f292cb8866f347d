// Whose card is claimed next where several tenants have some due.
import { AgentCards } from '#runtime';
import { type CardServer, CardStory, type EdgeApp, startCardServer, startEdgeApp } from '#testing';
import { CardSchedule } from './card-schedule.ts';
import { IntakeModule } from './intake.module.ts';

let edge: EdgeApp;
let cards: CardServer;

beforeAll(async () => {
  [edge, cards] = await Promise.all([startEdgeApp([IntakeModule]), startCardServer()]);
  // Nobody but the test claims.
  await edge.get(CardSchedule).onModuleDestroy();
});
afterAll(() => Promise.all([edge.close(), cards.close()]));

it('tenants take turns, and none has more than two, whatever it has waiting', async () => {
  const tenants: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    const story = await CardStory.begin(edge, cards, () => Promise.resolve());
    for (const agentId of ['a', 'b', 'c', 'd']) await story.register(agentId);
    await story.makeDue();
    tenants.push(story.tenant);
  }
  // The first tenant waits longest with all it has.
  await edge.database.query(
    `UPDATE duewatch_edge.card_reading SET next_read_at = next_read_at - interval '1 day' WHERE tenant = $1`,
    [tenants[0]],
  );
  const store = edge.get(AgentCards);
  const held: string[] = [];
  for (let turn = 0; turn < 8; turn += 1) {
    const [claim] = await store.claimDue(1, { held, after: held.at(-1) ?? '' });
    if (claim !== undefined) held.push(claim.tenant);
  }
  expect(held).toEqual([...tenants, ...tenants]);
  expect(await store.claimDue(8, { held, after: '' })).toEqual([]);
  // One place of the second tenant's is free again.
  const [again] = await store.claimDue(8, { held: held.filter((_, index) => index !== 1), after: '' });
  expect(again).toMatchObject({ tenant: tenants[1] });
});
