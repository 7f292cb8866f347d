// Who reads a card when several do, and what the log is told when one of them ends in between.
import { AgentCards } from '#runtime';
import {
  arrivalKind,
  type CardServer,
  CardStory,
  type EdgeApp,
  exampleCard,
  startCardServer,
  startEdgeApp,
} from '#testing';
import { CardReader } from './card-reader.ts';
import { CardSchedule } from './card-schedule.ts';
import { IntakeModule } from './intake.module.ts';

let edge: EdgeApp;
let cards: CardServer;
let story: CardStory;

beforeAll(async () => {
  [edge, cards] = await Promise.all([startEdgeApp([IntakeModule]), startCardServer()]);
});

beforeEach(async () => {
  story = await CardStory.begin(edge, cards, () => edge.get(CardSchedule).pass());
});

afterAll(() => Promise.all([edge.close(), cards.close()]));

describe('the log', () => {
  it('is told after a crash between the table and the log', async () => {
    await story.register('booking');
    cards.card = exampleCard({ kinds: [arrivalKind] });
    const claim = await edge.get(AgentCards).claim(story.tenant, 'booking');
    if (claim === undefined) throw new Error('it is registered');
    const { toTell } = await edge.get(CardReader).read(claim, { isConditional: true });
    expect(toTell).toMatchObject({ kinds: [{ kind: 'shipment.arrival' }] });
    // Here the process ends.
    await story.readDue(async () => (await story.declared()).length === 2);
    expect((await story.declared())[1]).toEqual(toTell);
  });

  it('is told after a crash in the middle of a registration', async () => {
    await story.register('booking');
    await edge.database.query(`UPDATE duewatch_edge.card_reading SET untold = true WHERE tenant = $1`, [story.tenant]);
    await story.readDue(async () => (await story.declared()).length === 2);
  });

  it('is told the newest again by whoever told it what no longer was so', async () => {
    await story.register('booking');
    const store = edge.get(AgentCards);
    cards.card = exampleCard({ kinds: [arrivalKind] });
    const claim = await store.claim(story.tenant, 'booking');
    if (claim === undefined) throw new Error('it is registered');
    await edge.get(CardReader).read(claim, { isConditional: true });
    // Before it tells the log, the agent is registered anew, with another card.
    cards.card = exampleCard();
    await story.register('booking');
    await store.told(claim, 900);
    const before = (await story.declared()).length;
    await story.readDue(async () => (await story.declared()).length > before);
    expect((await story.declared()).at(-1)).toMatchObject({ kinds: [{ kind: 'shipment.departure' }] });
  });
});

describe('replicas', () => {
  it('share what is due, and none takes more than two of a tenant at once', async () => {
    // Only the test's own claims count: what others have due is put off.
    const store = edge.get(AgentCards);
    for (const agentId of ['a', 'b', 'c', 'd', 'e']) await story.register(agentId);
    await story.makeDue();
    const claims = await Promise.all([store.claimDue(8), store.claimDue(8), store.claimDue(8)]);
    const own = claims.map((each) => each.filter((claim) => claim.tenant === story.tenant));
    for (const each of own) expect(each.length).toBeLessThanOrEqual(2);
    const ids = own.flat().map(({ agentId }) => agentId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('hold nothing against a card that they were stopped over', async () => {
    await story.register('booking');
    const claim = await edge.get(AgentCards).claim(story.tenant, 'booking');
    if (claim === undefined) throw new Error('it is registered');
    const signal = AbortSignal.abort();
    expect(await edge.get(CardReader).read(claim, { isConditional: true, signal })).toMatchObject({
      outcome: 'overtaken',
    });
    expect((await story.show('booking')).card.problem).toBeUndefined();
    const before = cards.requests.length;
    await story.readDue(() => cards.requests.length > before);
  });

  it('write nothing once they are overtaken', async () => {
    await story.register('booking');
    const store = edge.get(AgentCards);
    const claim = await store.claim(story.tenant, 'booking');
    if (claim === undefined) throw new Error('it is registered');
    await story.register('booking');
    cards.card = exampleCard({ kinds: [arrivalKind] });
    expect(await edge.get(CardReader).read(claim, { isConditional: true })).toMatchObject({ outcome: 'overtaken' });
    expect(await store.failed(claim, { code: 'late', message: 'late' })).toBeUndefined();
    expect(await story.show('booking')).toMatchObject({ declaration: { kinds: [{ kind: 'shipment.departure' }] } });
  });
});
