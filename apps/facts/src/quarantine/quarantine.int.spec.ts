// What is quarantined, over HTTP: listed, released, discarded, and bounded.
import { jest } from '@jest/globals';
import { LogUnavailableError } from '#event-log';
import { QuarantinedFact } from '#runtime';
import { type EdgeApp, startEdgeApp } from '#testing';
import { Quarantine, type Settling } from '#writes';
import { FactsModule } from '../facts.module.ts';

const old = (factKey: string, more: Record<string, unknown> = {}) => ({
  factKey,
  observedAt: '2001-01-01T00:00:00Z',
  source: 'carrier:ek',
  ...more,
});

interface Listed {
  readonly items: readonly { readonly id: string; readonly fact: { readonly factKey: string } }[];
  readonly next?: string;
}

describe('what is quarantined', () => {
  let edge: EdgeApp;
  let feed: string;
  let operator: string;
  let reader: string;
  let stranger: string;

  beforeAll(async () => {
    edge = await startEdgeApp([FactsModule]);
    feed = await edge.key({ scopes: ['facts'], name: 'feed', sources: ['carrier:*'] });
    operator = await edge.key({ scopes: ['operate'], name: 'olga' });
    reader = await edge.key({ scopes: ['read'] });
    stranger = await edge.key({ tenant: 'globex', scopes: ['admin'] });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await edge.database.query('DELETE FROM duewatch_edge.quarantined_fact');
  });
  afterAll(() => edge.close());

  const report = (json: unknown) => edge.call('POST', '/v1/facts', { key: feed, json });
  const list = async (query = '', key = reader): Promise<Listed> => {
    const answer = await edge.call('GET', `/v1/quarantine${query}`, { key });
    expect(answer.status).toBe(200);
    return answer.body as Listed;
  };
  const idOf = async (factKey: string): Promise<string> => {
    const { items } = await list();
    return items.find(({ fact }) => fact.factKey === factKey)?.id ?? '';
  };
  const release = (id: string, headers: Record<string, string> = {}, key = operator) =>
    edge.call('POST', `/v1/quarantine/${id}/release`, { key, headers });
  const discard = (id: string, json: unknown = { reason: 'a test feed' }, key = operator) =>
    edge.call('POST', `/v1/quarantine/${id}/discard`, { key, json });
  const inboxEnd = async () => {
    const ends = await Promise.all([0, 1].map((partition) => edge.log.bounds('inbox', partition)));
    return ends.reduce((sum, { end }) => sum + end, 0);
  };

  it('is listed, the latest first and page by page, as it was sent and with the reason', async () => {
    await report([old('q1', { note: 'as sent' }), old('q2'), old('q3', { observedAt: '1970-01-21T16:58:14Z' })]);
    const first = await list('?limit=2');
    expect(first).toEqual({
      items: [
        {
          id: expect.stringMatching(/^[\w-]{43}$/),
          receivedAt: expect.stringMatching(/Z$/),
          reporter: 'carrier:ek',
          fact: old('q3', { observedAt: '1970-01-21T16:58:14Z' }),
          reason: 'observedAt is more than 90 days behind its receipt: seconds may have been taken for milliseconds',
          state: 'quarantined',
        },
        expect.objectContaining({ fact: old('q2'), reason: 'observedAt is more than 90 days behind its receipt' }),
      ],
      next: expect.any(String),
    });
    expect(await list(`?limit=2&cursor=${first.next ?? ''}`)).toEqual({
      items: [expect.objectContaining({ fact: old('q1', { note: 'as sent' }) })],
    });
  });

  it('is told to the log once it is released, as reported by its reporter, and answered like a fact', async () => {
    await report(old('r1'));
    const id = await idOf('r1');
    const answer = await release(id);
    const { position } = answer.body as { readonly position: string };
    expect(answer).toMatchObject({ status: 200, body: { results: [{ outcome: 'accepted', satisfied: [] }] } });
    expect(position).toMatch(/^\d+-\d+$/);
    expect(await list()).toEqual({ items: [] });
    expect(await list('?state=released')).toMatchObject({
      items: [{ id, state: 'released', settledBy: 'olga', settledAt: expect.any(String), position }],
    });
    const partition = Number(position.split('-')[0]);
    const [record] = await edge.log.read('inbox', partition, { from: Number(position.split('-')[1]), limit: 1 });
    expect(JSON.parse(new TextDecoder().decode(record?.value))).toEqual({
      v: 1,
      input: { type: 'factsReported', reporter: 'carrier:ek', facts: [old('r1')] },
    });
  });

  it('is not told to the log again when it is released again, which says so', async () => {
    await report(old('r2'));
    const id = await idOf('r2');
    const { position } = (await release(id)).body as { readonly position: string };
    const end = await inboxEnd();
    expect(await release(id)).toMatchObject({
      status: 200,
      body: {
        results: [{ outcome: 'repeated', code: 'already_released', message: expect.stringContaining('"olga"') }],
        position,
      },
    });
    expect(await inboxEnd()).toBe(end);
    await report(old('r2'));
    expect(await list()).toEqual({ items: [] });
  });

  it('is neither lost nor doubled by a crash between the append and the change of its row', async () => {
    await report(old('r3'));
    const id = await idOf('r3');
    const crash = jest.spyOn(Quarantine.prototype, 'endRelease');
    crash.mockImplementationOnce((_: string, __: string, { by }: Settling) => Promise.reject(new Error(`${by} fell`)));
    expect(await release(id)).toMatchObject({ status: 500 });
    expect(await list()).toMatchObject({ items: [{ id, state: 'releasing' }] });
    expect(await discard(id)).toMatchObject({ status: 409, body: { type: '/problems/already-settled' } });
    expect(await release(id)).toMatchObject({ status: 200, body: { results: [{ outcome: 'repeated' }] } });
    expect(await list('?state=released')).toMatchObject({ items: [{ id }] });
  });

  it('is not lost where the log cannot be reached', async () => {
    await report(old('r4'));
    const id = await idOf('r4');
    jest.spyOn(edge.log, 'append').mockRejectedValueOnce(new LogUnavailableError('gone'));
    expect(await release(id)).toMatchObject({ status: 503, body: { type: '/problems/log-unavailable' } });
    expect(await release(id)).toMatchObject({ status: 200, body: { results: [{ outcome: 'accepted' }] } });
  });

  it('is answered later where its decision takes longer than the operator waits', async () => {
    await report(old('r5'));
    const id = await idOf('r5');
    const resume = edge.decider.pause();
    const answer = await release(id, { prefer: 'wait=0' });
    const location = answer.headers.get('location') ?? '';
    resume();
    expect(answer).toMatchObject({ status: 202, body: { position: location.split('/').at(-1) } });
    await report({ ...old('after'), observedAt: new Date().toISOString() });
    const later = await edge.call('GET', location, { key: operator });
    expect(later).toMatchObject({ status: 200, body: { results: [{ outcome: 'accepted' }] } });
  });

  it('may still be refused by the decider, for another fault, and is settled all the same', async () => {
    await report(old('r6', { subject: { type: 'shipment' } }));
    const id = await idOf('r6');
    expect(await release(id)).toMatchObject({
      status: 207,
      body: { results: [{ outcome: 'refused', message: expect.stringContaining('subject') }] },
    });
    expect(await list('?state=released')).toMatchObject({ items: [{ id }] });
  });

  it('is never told to the log once it is discarded, and who, when and why is kept', async () => {
    await report(old('d1'));
    const id = await idOf('d1');
    const end = await inboxEnd();
    const kept = {
      id,
      state: 'discarded',
      settledBy: 'olga',
      settledAt: expect.any(String),
      discardReason: 'a test feed',
    };
    expect(await discard(id)).toMatchObject({ status: 200, body: kept });
    expect(await discard(id, { reason: 'again' })).toMatchObject({ status: 200, body: kept });
    expect(await release(id)).toMatchObject({
      status: 409,
      body: { type: '/problems/already-settled', detail: expect.stringContaining('discarded by "olga"') },
    });
    expect(await report(old('d1'))).toMatchObject({ body: { results: [{ outcome: 'quarantined' }] } });
    expect(await list()).toEqual({ items: [] });
    expect(await list('?state=discarded')).toMatchObject({ items: [kept] });
    expect(await inboxEnd()).toBe(end);
  });

  it.each<[string, unknown, string]>([
    ['no reason', {}, 'reason'],
    ['an empty one', { reason: '' }, 'reason'],
    ['an endless one', { reason: 'x'.repeat(1_001) }, 'reason'],
    ['more than a reason', { reason: 'x', by: 'me' }, 'by'],
  ])('is not discarded for %s', async (_, json, field) => {
    await report(old('d2'));
    expect(await discard(await idOf('d2'), json)).toMatchObject({ status: 422, body: { field } });
    expect(await list()).toMatchObject({ items: [{ state: 'quarantined' }] });
  });

  it('is nothing to another tenant', async () => {
    await report(old('t1'));
    const id = await idOf('t1');
    expect(await list('', stranger)).toEqual({ items: [] });
    expect(await release(id, {}, stranger)).toMatchObject({ status: 404, body: { type: '/problems/not-found' } });
    expect(await discard(id, { reason: 'mine' }, stranger)).toMatchObject({ status: 404 });
    expect(await list()).toMatchObject({ items: [{ id, state: 'quarantined' }] });
  });

  it('is settled by an operator only', async () => {
    await report(old('t2'));
    const id = await idOf('t2');
    for (const key of [feed, reader]) {
      expect(await release(id, {}, key)).toMatchObject({ status: 403 });
      expect(await discard(id, { reason: 'x' }, key)).toMatchObject({ status: 403 });
    }
    expect(await edge.call('GET', '/v1/quarantine', { key: feed })).toMatchObject({ status: 403 });
    expect(await list('', operator)).toMatchObject({ items: [{ id, state: 'quarantined' }] });
  });

  it.each(['none', '%00', '..%2F..', 'A'.repeat(43), 'A'.repeat(5_000)])('has none of the id %s', async (id) => {
    expect(await release(id)).toMatchObject({ status: 404, body: { type: '/problems/not-found' } });
    expect(await discard(id)).toMatchObject({ status: 404 });
  });

  it.each(['?state=lost', '?limit=0', '?cursor=x', '?cursor=1.2', '?after=x', '?stat=released'])(
    'is not listed as asked by %s',
    async (query) => {
      const field = query.slice(1).split('=')[0];
      expect(await edge.call('GET', `/v1/quarantine${query}`, { key: reader })).toMatchObject({
        status: 422,
        body: { field },
      });
    },
  );

  it('is bounded: past it a fact is refused, saying what to do, and its neighbours are taken', async () => {
    const row = `INSERT INTO duewatch_edge.quarantined_fact (tenant, identity, reporter, fact, reason)
      SELECT 'acme', sha256(n::text::bytea), '"x"', '{}', 'old' FROM generate_series(1, 9999) n`;
    await edge.database.query(row);
    const plausible = { ...old('b3'), observedAt: new Date().toISOString() };
    expect(await report([old('b1'), old('b2'), plausible, old('b1')])).toMatchObject({
      status: 207,
      body: {
        results: [
          { outcome: 'quarantined', code: 'implausible' },
          { outcome: 'refused', code: 'quarantine_full', message: expect.stringContaining('release or discard') },
          { outcome: 'accepted' },
          { outcome: 'quarantined' },
        ],
      },
    });
    expect(await report(old('b2'))).toMatchObject({ status: 422, body: { code: 'quarantine_full' } });
    const other = await edge.key({ tenant: 'globex', scopes: ['facts'], sources: ['*'] });
    expect(await edge.call('POST', '/v1/facts', { key: other, json: old('b2') })).toMatchObject({
      body: { results: [{ outcome: 'quarantined' }] },
    });
    await discard(await idOf('b1'));
    expect(await report(old('b2'))).toMatchObject({ body: { results: [{ outcome: 'quarantined' }] } });
  });

  it('is bounded in bytes, too', async () => {
    const big = { note: 'x'.repeat(500_000) };
    const all = Array.from({ length: 101 }, (_, index) => old(`big${index}`, big));
    const outcomes: string[] = [];
    for (let start = 0; start < all.length; start += 10) {
      const { body } = await report(all.slice(start, start + 10));
      const { results } = body as { readonly results: readonly { readonly outcome: string }[] };
      outcomes.push(...results.map(({ outcome }) => outcome));
    }
    expect(outcomes.filter((outcome) => outcome === 'quarantined')).toHaveLength(99);
    expect(outcomes.slice(99)).toEqual(['refused', 'refused']);
  });

  it('is forgotten 90 days after it was settled, and never before it is', async () => {
    await report([old('f1'), old('f2'), old('f3')]);
    await discard(await idOf('f1'));
    await discard(await idOf('f2'));
    const repository = edge.database.getRepository(QuarantinedFact);
    const ago = (days: number) => ({ settledAt: new Date(Date.now() - days * 86_400_000) });
    const [newest, older] = await repository.find({ where: { state: 'discarded' }, order: { number: 'ASC' } });
    await repository.update({ identity: newest?.identity ?? Buffer.of() }, ago(91));
    await repository.update({ identity: older?.identity ?? Buffer.of() }, ago(89));
    await repository.update({ state: 'quarantined' }, { receivedAt: new Date(0) });
    await report(old('f4'));
    expect((await list('?state=discarded')).items.map(({ fact }) => fact.factKey)).toEqual(['f2']);
    expect((await list()).items.map(({ fact }) => fact.factKey)).toEqual(['f4', 'f3']);
  });
});
