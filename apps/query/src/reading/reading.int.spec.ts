// What holds for every read: it may wait for a write, and a key opens its own tenant's record and nothing else.
import { formatPosition } from '#event-log';
import { expectationRecorded, factRecorded, type ReadApp, readingStory, startReadApp } from '#testing';
import { QueryModule } from '../query.module.ts';

describe('any read', () => {
  let app: ReadApp;

  beforeAll(async () => {
    app = await startReadApp([QueryModule]);
    await app.tell('acme', ...readingStory);
  });
  afterAll(() => app.close());

  it('waits until a write is folded', async () => {
    const { partition, inboxOffset } = await app.script.decided(
      'acme',
      expectationRecorded({ expectationId: 'written' }),
    );
    const reading = app.get(
      `/v1/expectations/booking/written?after=${formatPosition({ partition, offset: inboxOffset })}`,
    );
    await app.fold();
    expect(await reading).toMatchObject({ expectationId: 'written' });
  });

  it('says so where that takes too long', async () => {
    const answer = await app.edge.call('GET', '/v1/overview?after=1-999999', { key: app.key });
    expect(answer).toMatchObject({ status: 503, body: { type: '/problems/read-model-behind' } });
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  it('shows another tenant nothing, whatever it asks', async () => {
    for (const path of ['/v1/expectations', '/v1/lapses', '/v1/facts', '/v1/refusals', '/v1/dispatches']) {
      expect(await app.get(path, app.otherKey)).toEqual({ items: [] });
    }
    expect(await app.get('/v1/overview', app.otherKey)).toMatchObject({
      asOf: null,
      open: { count: 0 },
      refused: { count: 0 },
    });
    for (const path of ['/v1/expectations/booking/full', '/v1/subjects/shipment/S1/timeline']) {
      expect(await app.edge.call('GET', path, { key: app.otherKey })).toMatchObject({ status: 404 });
    }
  });

  it('shows another tenant its own under the same ids', async () => {
    await app.tell('globex', [
      expectationRecorded({ expectationId: 'full', content: { expects: 'theirs' } }),
      factRecorded({ factNumber: 1, reporter: 'their feed' }),
    ]);
    expect(await app.get('/v1/expectations/booking/full', app.otherKey)).toMatchObject({
      expects: 'theirs',
      lapses: [],
    });
    expect(await app.get('/v1/subjects/shipment/S1/timeline', app.otherKey)).toMatchObject({
      expectations: [{ expects: 'theirs' }],
      facts: [{ source: 'their feed' }],
      lapses: [],
    });
    expect(await app.get('/v1/expectations', app.otherKey)).toMatchObject({ items: [{ expects: 'theirs' }] });
  });

  it('needs a key with the scope `read`', async () => {
    const writer = await app.edge.key({ scopes: ['facts'] });
    for (const path of ['/v1/expectations', '/v1/overview', '/v1/events', '/v1/subjects/a/b/timeline']) {
      expect(await app.edge.call('GET', path)).toMatchObject({ status: 401 });
      expect(await app.edge.call('GET', path, { key: writer })).toMatchObject({ status: 403 });
    }
  });
});
