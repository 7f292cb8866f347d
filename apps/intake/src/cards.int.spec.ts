// Agents' cards, read again when they are due.

import {
  arrivalKind,
  type CardServer,
  CardStory,
  type EdgeApp,
  exampleCard,
  startCardServer,
  startEdgeApp,
  departureKind,
  until,
} from '#testing';
import { CardMetrics } from './card-metrics.ts';
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

const requestsCount = () => cards.requests.length;

describe('a card that is due', () => {
  it('is asked for by its entity tag, and where it is the same nothing is told', async () => {
    cards.headers = { etag: '"one"' };
    await story.register('booking');
    const before = requestsCount();
    await story.readDue(() => requestsCount() === before + 1);
    await until(async () => (await story.show('booking')).card.version === 1);
    expect(cards.requests.at(-1)?.['if-none-match']).toBe('"one"');
    expect(await story.declared()).toHaveLength(1);
    expect(await story.versions('booking')).toHaveLength(1);
  });

  it('is the same however it is written', async () => {
    await story.register('booking');
    cards.card = Object.fromEntries(Object.entries(exampleCard()).reverse());
    const before = requestsCount();
    await story.readDue(() => requestsCount() === before + 1);
    expect((await story.readNow('booking')).body).toMatchObject({ read: 'unchanged', card: { version: 1 } });
    expect(await story.declared()).toHaveLength(1);
  });

  it('that declares something else is told to the log, once', async () => {
    await story.register('booking');
    cards.card = exampleCard({ kinds: [departureKind, arrivalKind] });
    await story.readDue(async () => (await story.declared()).length === 2);
    expect((await story.declared())[1]).toMatchObject({
      kinds: [{ kind: 'shipment.departure' }, { kind: 'shipment.arrival' }],
    });
    await until(async () => (await story.show('booking')).card.version === 2);
    const before = requestsCount();
    await story.readDue(() => requestsCount() === before + 1);
    expect((await story.readNow('booking')).body).toMatchObject({ read: 'unchanged' });
    expect(await story.declared()).toHaveLength(2);
    expect(await story.show('booking')).toMatchObject({ card: { changes: { kindsAdded: ['shipment.arrival'] } } });
  });

  it('that says something else beside the declaration is a version that is not told', async () => {
    await story.register('booking');
    cards.card = { ...exampleCard(), name: 'Booking, renamed' };
    await story.readDue(async () => (await story.versions('booking')).length === 2);
    expect((await story.readNow('booking')).body).toMatchObject({
      read: 'unchanged',
      card: { version: 2, changes: {} },
    });
    expect(await story.declared()).toHaveLength(1);
  });

  it.each([
    ['max-age=120, public', 120],
    ['max-age=1', 60],
    ['public, max-age=99999999', 86_400],
    ['no-cache', 900],
    [undefined, 900],
  ])('is due again as it says itself (%s), within bounds', async (cacheControl, seconds) => {
    cards.headers = cacheControl === undefined ? {} : { 'cache-control': cacheControl };
    await story.register('booking');
    const [row]: { seconds: number }[] = await edge.database.query(
      `SELECT extract(epoch FROM next_read_at - read_at)::float AS seconds
       FROM duewatch_edge.card_reading WHERE tenant = $1`,
      [story.tenant],
    );
    // Up to a tenth later, and what the registration took.
    expect(row?.seconds).toBeGreaterThanOrEqual(seconds);
    expect(row?.seconds).toBeLessThan(seconds * 1.1 + 30);
  });
});

describe('a card that cannot be read', () => {
  it('stays as it was; it is tried again later and later, until it can', async () => {
    await story.register('booking');
    cards.status = 503;
    await story.readDue(async () => (await story.show('booking')).card.problem?.failuresCount === 1);
    await story.readDue(async () => (await story.show('booking')).card.problem?.failuresCount === 2);
    expect(await story.show('booking')).toMatchObject({
      declaration: { kinds: [{ kind: 'shipment.departure' }] },
      card: { version: 1, problem: { code: 'status_not_ok' } },
    });
    const [row]: { seconds: number }[] = await edge.database.query(
      `SELECT extract(epoch FROM next_read_at - failed_at)::float AS seconds
       FROM duewatch_edge.card_reading WHERE tenant = $1`,
      [story.tenant],
    );
    expect(row?.seconds).toBeGreaterThanOrEqual(120);
    cards.status = 200;
    await story.readDue(async () => (await story.show('booking')).card.problem === undefined);
    expect(await story.declared()).toHaveLength(1);
  });

  it('is one that declares nothing any more: a proxy may have answered', async () => {
    await story.register('booking');
    cards.card = { name: 'Booking' };
    await story.readDue(async () => (await story.show('booking')).card.problem?.code === 'extension_missing');
    expect((await story.show('booking')).declaration.kinds).toHaveLength(1);
    expect(await story.declared()).toHaveLength(1);
  });
});

it('a kind that is declared no more is shown: with the agent, among the versions, and measured (§8)', async () => {
  cards.card = exampleCard({ kinds: [departureKind, arrivalKind] });
  await story.register('booking');
  const family = async () =>
    (await edge.get(CardMetrics).collect()).find(({ name }) => name === 'duewatch_card_kinds_dropped_total');
  const before = (await family())?.samples[0]?.value ?? 0;
  cards.card = exampleCard();
  await story.readDue(async () => (await story.show('booking')).card.version === 2);
  const dropped = { code: 'kind_dropped', severity: 'warning', paragraph: '§8' };
  const shown = await story.show('booking');
  expect(shown).toMatchObject({ findings: [dropped], card: { changes: { kindsDropped: ['shipment.arrival'] } } });
  expect(shown.findings[0]?.message).toContain('shipment.arrival');
  expect(await story.versions('booking')).toMatchObject([
    { version: 2, changes: { kindsDropped: ['shipment.arrival'] }, findings: [dropped] },
    { version: 1, findings: [] },
  ]);
  expect((await family())?.samples[0]?.value).toBe(before + 1);
  // Also where it was dropped by a registration.
  cards.card = exampleCard({ kinds: [arrivalKind] });
  expect(await story.register('booking')).toMatchObject({ findings: [dropped] });
  expect((await family())?.samples[0]?.value).toBe(before + 2);
});
