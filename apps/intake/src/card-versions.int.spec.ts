// Cards over HTTP: read on demand, and their versions.

import {
  arrivalKind,
  type CardServer,
  CardStory,
  type EdgeApp,
  exampleCard,
  startCardServer,
  startEdgeApp,
} from '#testing';
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

describe('on demand', () => {
  it('a card is read whole, kept and told', async () => {
    cards.headers = { etag: '"same"' };
    await story.register('booking');
    cards.card = exampleCard({ kinds: [arrivalKind] });
    const answer = await story.readNow('booking');
    expect(answer).toMatchObject({
      status: 200,
      body: {
        read: 'changed',
        position: expect.any(String),
        card: { version: 2 },
        findings: [{ code: 'kind_dropped' }],
      },
    });
    expect(cards.requests.at(-1)?.['if-none-match']).toBeUndefined();
    expect(await story.declared()).toHaveLength(2);
    expect((await story.readNow('booking')).body).not.toHaveProperty('position');
  });

  it('what cannot be read is said, and kept with the agent', async () => {
    await story.register('booking');
    cards.card = '<html>';
    expect(await story.readNow('booking')).toMatchObject({
      status: 422,
      body: { type: '/problems/card-unreadable', code: 'not_json' },
    });
    expect(await story.show('booking')).toMatchObject({ card: { version: 1, problem: { code: 'not_json' } } });
  });

  it('an agent must be there, and the key may register it', async () => {
    expect(await story.readNow('nobody')).toMatchObject({ status: 404, body: { type: '/problems/agent-unknown' } });
    await story.register('booking');
    const reader = await edge.key({ tenant: story.tenant, scopes: ['read'] });
    expect((await edge.call('POST', '/v1/agents/booking/card/read', { key: reader })).status).toBe(403);
    expect((await edge.call('GET', '/v1/agents/booking/cards', { key: reader })).status).toBe(200);
  });
});

describe('versions', () => {
  it('are listed, the newest first, and each can be read whole, by its tenant alone', async () => {
    await story.register('booking');
    for (const name of ['two', 'three']) {
      cards.card = { ...exampleCard(), name };
      await story.readNow('booking');
    }
    const first = (await story.call('GET', 'booking/cards?limit=2')).body as { next: string };
    expect(first).toMatchObject({ items: [{ version: 3 }, { version: 2 }], next: '2' });
    const rest = await story.call('GET', `booking/cards?cursor=${first.next}`);
    expect(rest.body).toMatchObject({ items: [{ version: 1 }] });
    const two = await story.call('GET', 'booking/cards/2');
    expect(two).toMatchObject({
      status: 200,
      body: { version: 2, card: { name: 'two' }, declaration: { kinds: [{}] } },
    });
    expect((await story.call('GET', 'booking/cards/9')).status).toBe(404);
    const stranger = await edge.key({ tenant: `${story.tenant}-other` });
    expect((await edge.call('GET', '/v1/agents/booking/cards', { key: stranger })).body).toEqual({ items: [] });
    expect((await edge.call('GET', '/v1/agents/booking/cards/2', { key: stranger })).status).toBe(404);
  });

  it('are let go of: fifty are kept', async () => {
    await story.register('booking');
    await edge.database.query(
      `INSERT INTO duewatch_edge.agent_card (tenant, identity, version, card, declaration, findings, changes)
       SELECT tenant, identity, -place, card, declaration, findings, changes
       FROM duewatch_edge.agent_card, generate_series(1, 60) AS place WHERE tenant = $1`,
      [story.tenant],
    );
    cards.card = { ...exampleCard(), name: 'newer' };
    await story.readNow('booking');
    const kept = await story.versions('booking');
    expect(kept).toHaveLength(50);
    expect(kept[0]).toMatchObject({ version: 2 });
  });
});
