// Pauses of dispatch, over HTTP, on PostgreSQL: asked for, listed, ended, and what they hold.
import { decodeInbox, type DispatchPaused, partitionOf } from '#event-log';
import { formatInstant } from '#expectations';
import { dispatchAttempted, expectationLapsed, expectationRecorded, type ReadApp, startReadApp, t } from '#testing';
import { QueryModule } from '../query.module.ts';

const hourMs = 3_600_000;
const inHours = (hours: number): string => formatInstant(Math.floor(Date.now() / 1_000) * 1_000 + hours * hourMs);

let app: ReadApp;
let operator: string;

beforeAll(async () => {
  app = await startReadApp([QueryModule]);
  operator = await app.edge.key({ scopes: ['operate'], name: 'olga' });
});
afterAll(() => app.close());

const pause = (json: unknown, key = operator) =>
  app.edge.call('POST', '/v1/pauses', { key, json, headers: { prefer: 'wait=0' } });
const end = (pauseId: string, key = operator) =>
  app.edge.call('DELETE', `/v1/pauses/${encodeURIComponent(pauseId)}`, { key, headers: { prefer: 'wait=0' } });

async function asked(): Promise<unknown[]> {
  const partition = partitionOf('acme', app.edge.log.partitionCount);
  const records = await app.edge.log.read('inbox', partition, { from: 0, limit: 1_000 });
  return records.map(({ value }) => decodeInbox(value));
}

async function listed(query = '', key = app.key): Promise<{ pauseId: string; state: string }[]> {
  return ((await app.get(`/v1/pauses${query}`, key)) as { items: { pauseId: string; state: string }[] }).items;
}

function paused(fields: Partial<DispatchPaused> = {}): DispatchPaused {
  return {
    ...{ type: 'dispatchPaused', at: t(1), pauseId: 'p', scope: {}, reason: 'they move house', by: 'olga' },
    until: inHours(5),
    ...fields,
  };
}

describe('a pause', () => {
  it('is asked of the log with who, why and until when, in UTC', async () => {
    const subject = { type: 'flight', id: 'EK203' };
    const until = inHours(5);
    const answer = await pause({
      ...{ pauseId: 'asked', scope: { agentId: 'booking', kind: 'k', subject }, reason: 'they move house' },
      until: until.replace('Z', '+00:00'),
    });
    expect(answer).toMatchObject({ status: 202, body: { position: expect.stringMatching(/^\d+-\d+$/) } });
    expect(await asked()).toContainEqual({
      type: 'dispatchPauseRequested',
      pauseId: 'asked',
      scope: { agentId: 'booking', kind: 'k', subject },
      reason: 'they move house',
      until,
      by: 'olga',
    });
  });

  it('of an id that is there is answered with it where it is the same, also once it has ended, and else refused', async () => {
    const first = paused({ pauseId: 'same', from: t(0), until: t(60) });
    await app.tell('acme', [first]);
    const before = (await asked()).length;
    const same = { pauseId: 'same', reason: first.reason, from: t(0), until: t(60) };
    expect(await pause(same)).toMatchObject({ status: 200, body: { pauseId: 'same', state: 'ended', by: 'olga' } });
    for (const other of [{ reason: 'another' }, { until: inHours(9) }, { scope: { kind: 'k' } }, { from: undefined }]) {
      expect(await pause({ ...same, ...other })).toMatchObject({
        status: 409,
        body: { type: '/problems/already-settled', pause: { pauseId: 'same' } },
      });
    }
    expect(await asked()).toHaveLength(before);
  });

  it.each<[object, string]>([
    [{ pauseId: '' }, 'pauseId'],
    [{ pauseId: undefined }, 'pauseId'],
    [{ reason: undefined }, 'reason'],
    [{ until: undefined }, 'until'],
    [{ until: 'tomorrow' }, 'until'],
    [{ until: '2026-01-01T00:00:00' }, 'until'],
    [{ until: t(0), from: undefined }, 'until'],
    [{ until: inHours(91 * 24) }, 'until'],
    [{ from: inHours(6) }, 'until'],
    [{ from: inHours(91 * 24), until: inHours(92 * 24) }, 'from'],
    [{ scope: 'all' }, 'scope'],
    [{ scope: { agent: 'x' } }, 'scope.agent'],
    [{ scope: { subject: { type: 'flight' } } }, 'scope.subject.id'],
    [{ by: 'somebody' }, 'by'],
  ])('with %j is refused, naming %s', async (fields, field) => {
    const before = (await asked()).length;
    const json = { pauseId: 'wrong', reason: 'r', until: inHours(5), ...fields };
    expect(await pause(json)).toMatchObject({ status: 422, body: { field } });
    expect(await asked()).toHaveLength(before);
  });

  it('is for who may operate, and is seen by who may read', async () => {
    const json = { pauseId: 'mine', reason: 'r', until: inHours(5) };
    expect(await pause(json, app.key)).toMatchObject({ status: 403 });
    expect(await end('p', app.key)).toMatchObject({ status: 403 });
    expect(await listed('', operator)).toEqual(await listed());
    expect(await listed('', app.otherKey)).toEqual([]);
  });

  it('is listed as coming, active or ended, and page by page', async () => {
    await app.tell(
      'acme',
      [paused({ pauseId: 'coming', from: inHours(1) }), paused({ pauseId: 'active', scope: { agentId: 'nobody' } })],
      [paused({ pauseId: 'over', until: t(9) }), paused({ pauseId: 'called off' })],
      [{ type: 'dispatchResumed', at: t(2), pauseId: 'called off', by: 'otto' }],
    );
    const ids = async (query: string) => (await listed(query)).map(({ pauseId }) => pauseId);
    expect(await ids('?state=coming')).toEqual(['coming']);
    expect(await ids('?state=active')).toEqual(['active']);
    expect(await ids('?agentId=nobody')).toEqual(['active']);
    expect(await ids('?state=ended')).toEqual(['called off', 'over', 'same']);
    expect(await listed('?limit=1')).toMatchObject([{ pauseId: 'called off', endedAt: t(2), endedBy: 'otto' }]);
    const { next } = (await app.get('/v1/pauses?limit=1')) as { next: string };
    expect(await ids(`?limit=1&cursor=${next}`)).toEqual(['over']);
  });

  it('counts as it was given first, and ends once, in whatever batches', async () => {
    await app.tell('acme', [{ type: 'dispatchResumed', at: t(0), pauseId: 'first', by: 'early' }]);
    await app.tell('acme', [paused({ pauseId: 'first' })], [paused({ pauseId: 'first', reason: 'second' })]);
    expect(await listed('?limit=1')).toMatchObject([{ pauseId: 'first', state: 'active', reason: 'they move house' }]);
    const resumed = { type: 'dispatchResumed', at: t(3), pauseId: 'first', by: 'olga' } as const;
    await app.tell('acme', [resumed], [{ ...resumed, at: t(4), by: 'otto' }]);
    expect(await listed('?limit=1')).toMatchObject([{ state: 'ended', endedAt: t(3), endedBy: 'olga' }]);
  });

  it('is ended by its id, once; none of another tenant', async () => {
    await app.tell('acme', [paused({ pauseId: 'a/b', scope: { kind: 'nothing' } })]);
    await app.tell('globex', [paused({ pauseId: 'theirs' })]);
    expect(await end('theirs')).toMatchObject({ status: 404 });
    await end('a/b');
    expect(await asked()).toContainEqual({ type: 'dispatchPauseEndRequested', pauseId: 'a/b', by: 'olga' });
    const before = (await asked()).length;
    expect(await end('over')).toMatchObject({ status: 200, body: { pauseId: 'over', state: 'ended' } });
    expect(await asked()).toHaveLength(before);
  });
});

it('more than a thousand that have not ended are refused', async () => {
  const other = await app.edge.key({ tenant: 'globex', scopes: ['operate'] });
  const events = Array.from({ length: 999 }, (_, nth) => paused({ pauseId: `many-${nth}`, scope: { kind: 'none' } }));
  await app.tell('globex', events);
  const one = { pauseId: 'one more', reason: 'r', until: inHours(5) };
  expect(await pause(one, other)).toMatchObject({ status: 429, body: { detail: expect.stringContaining('1000') } });
  await app.tell('globex', [{ type: 'dispatchResumed', at: t(2), pauseId: 'many-0', by: 'otto' }]);
  expect((await pause(one, other)).status).toBe(202);
});

describe('what is pending', () => {
  const ids = async (query: string): Promise<unknown> =>
    ((await app.get(`/v1/dispatches?${query}`)) as { items: { expectationId: string }[] }).items.map(
      ({ expectationId }) => expectationId,
    );

  it('is held where a pause in force fits all of it, and pending once that has ended', async () => {
    const named = (expectationId: string) => ({ expectationId });
    await app.tell(
      'acme',
      ['h1', 'h2', 'h3'].map((id) => expectationRecorded(named(id))),
      ['h1', 'h2', 'h3'].map((id) => expectationLapsed(named(id))),
      [dispatchAttempted(named('h3'))],
    );
    expect(await ids('state=pending')).toEqual(['h2', 'h1']);
    const scope = { agentId: 'booking', kind: 'shipment.departure', subject: { type: 'shipment', id: 'S1' } };
    await app.tell('acme', [
      paused({ pauseId: 'other', scope: { ...scope, kind: 'shipment.arrival' } }),
      paused({ pauseId: 'later', scope, from: inHours(1) }),
    ]);
    expect(await ids('state=held')).toEqual([]);
    await app.tell('acme', [paused({ pauseId: 'holds', scope })]);
    expect(await ids('state=held')).toEqual(['h2', 'h1']);
    expect(await ids('state=pending')).toEqual([]);
    expect(await ids('state=sending')).toEqual(['h3']);
    const shown = { lapses: [{ dispatch: { state: 'held' } }] };
    expect(await app.get('/v1/expectations/booking/h1')).toMatchObject(shown);
    expect(await app.get('/v1/lapses?expectationId=h1')).toMatchObject({ items: [{ dispatch: { state: 'held' } }] });
    const timeline = (await app.get('/v1/subjects/shipment/S1/timeline')) as { lapses: { dispatch: unknown }[] };
    expect(timeline.lapses[0]).toMatchObject({ dispatch: { state: 'held' } });
    await app.tell('acme', [{ type: 'dispatchResumed', at: t(70), pauseId: 'holds', by: 'olga' }]);
    expect(await ids('state=pending')).toEqual(['h2', 'h1']);
    expect(await ids('state=held')).toEqual([]);
  });
});
