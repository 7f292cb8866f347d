// Facts, over HTTP, decided by the real core.
import { jest } from '@jest/globals';
import { LogUnavailableError } from '#event-log';
import { type EdgeApp, startEdgeApp } from '#testing';
import { FactsModule } from './facts.module.ts';

const hourAgo = new Date(Date.now() - 3_600_000).toISOString();

const fact = (factKey: unknown, over: Record<string, unknown> = {}) => ({
  factKey,
  observedAt: hourAgo,
  source: 'carrier:ek',
  ...over,
});

describe('facts', () => {
  let edge: EdgeApp;
  let key: string;

  beforeAll(async () => {
    edge = await startEdgeApp([FactsModule]);
    key = await edge.key({ scopes: ['facts'], name: 'feed', sources: ['carrier:*', 'exact'] });
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(() => edge.close());

  const report = (json: unknown, headers: Record<string, string> = {}) =>
    edge.call('POST', '/v1/facts', { key, json, headers });
  const reportLines = (body: string) =>
    edge.call('POST', '/v1/facts', { key, body, headers: { 'content-type': 'application/x-ndjson' } });

  it('may come alone, and again', async () => {
    const position = expect.stringMatching(/^\d+-\d+$/) as unknown;
    expect(await report(fact('k1'))).toMatchObject({
      status: 200,
      body: { results: [{ outcome: 'accepted', satisfied: [] }], position },
    });
    expect(await report(fact('k1'))).toMatchObject({
      status: 200,
      body: { results: [{ outcome: 'repeated' }], position },
    });
  });

  it('are answered in the order of the body, whatever the order they were observed in', async () => {
    const late = fact('k3', { observedAt: new Date(Date.parse(hourAgo) + 1_000).toISOString() });
    await report(fact('k4'));
    const answer = await report([late, fact('k4'), fact('k5')]);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      results: [{ outcome: 'accepted' }, { outcome: 'repeated' }, { outcome: 'accepted' }],
    });
  });

  it('are told of keys that look like personal data, and taken all the same (§14)', async () => {
    const answer = await report([fact('called:+44 20 7946 0958'), fact('departed:PA-2026-0901')]);
    expect(answer).toMatchObject({
      status: 200,
      body: { results: [{ outcome: 'accepted' }, { outcome: 'accepted' }] },
    });
    const { results } = answer.body as { results: { warnings?: string[] }[] };
    expect(results.map(({ warnings }) => warnings)).toEqual([
      [expect.stringMatching(/^factKey looks like a telephone number.*§14/)],
      undefined,
    ]);
  });

  it('are 207 when some were refused', async () => {
    const answer = await report([fact('k6'), fact(7), 'no fact', fact('k7', { source: 'someone-else' })]);
    expect(answer).toMatchObject({
      status: 207,
      body: {
        results: [
          { outcome: 'accepted' },
          { outcome: 'refused', code: 'invalid', message: expect.stringContaining('factKey') },
          { outcome: 'refused', code: 'invalid' },
          { outcome: 'refused', code: 'source_not_allowed', message: expect.stringContaining('source') },
        ],
      },
    });
  });

  it.each<[string, unknown, string]>([
    ['no key', { observedAt: hourAgo }, 'factKey'],
    ['a key of the wrong type', fact({}), 'factKey'],
    ['no instant', { factKey: 'k' }, 'observedAt'],
    ['an instant without an offset', fact('k', { observedAt: '2026-09-11T02:41:00' }), 'observedAt'],
    ['half a subject', fact('k', { subject: { type: 'shipment' } }), 'subject'],
    ['a source that the key may not claim', fact('k', { source: 'rival' }), 'source'],
    ["an agent's source", fact('k', { source: 'agent:booking' }), 'source'],
    ['NUL', fact('a\0b'), 'NUL'],
    ['an endless key', fact('k'.repeat(1_025)), 'factKey'],
  ])('with %s are refused with 422 naming the field', async (_, json, field) => {
    expect(await report(json)).toMatchObject({
      status: 422,
      body: {
        type: '/problems/fact-refused',
        detail: expect.stringContaining(field),
        code: expect.any(String),
        results: [{ outcome: 'refused' }],
      },
    });
  });

  it('are quarantined when they are implausible, once, and never told to the log', async () => {
    const old = fact('k8', { observedAt: '2001-01-01T00:00:00Z' });
    const ends = async () =>
      (await Promise.all([0, 1].map((at) => edge.log.bounds('inbox', at)))).map(({ end }) => end);
    const before = await ends();
    for (let time = 0; time < 2; time += 1) {
      expect(await report(old)).toMatchObject({
        status: 200,
        body: { results: [{ outcome: 'quarantined', code: 'implausible' }] },
      });
    }
    expect(await ends()).toEqual(before);
    const rows: unknown = await edge.database.query(
      'SELECT tenant, reporter, fact, reason FROM duewatch_edge.quarantined_fact',
    );
    expect(rows).toEqual([
      {
        tenant: 'acme',
        reporter: '"carrier:ek"',
        fact: JSON.stringify(old),
        reason: expect.stringContaining('90 days'),
      },
    ]);
  });

  it('may come as lines, of which a bad one stops no other', async () => {
    const lines = [JSON.stringify(fact('n1')), '', '{"factKey":', '['.repeat(20_000), JSON.stringify(fact('n2'))];
    expect(await reportLines(`${lines.join('\r\n')}\n`)).toMatchObject({
      status: 207,
      body: {
        results: [
          { outcome: 'accepted' },
          { outcome: 'refused', code: 'malformed', message: expect.stringContaining('line 3') },
          { outcome: 'refused', code: 'malformed', message: expect.stringContaining('line 4') },
          { outcome: 'accepted' },
        ],
      },
    });
    expect((await reportLines(JSON.stringify(fact('n1')))).body).toMatchObject({ results: [{ outcome: 'repeated' }] });
    expect((await reportLines('\n\n')).body).toEqual({ results: [] });
  });

  it('are told in reports of at most 500, and answered one by one', async () => {
    const facts = Array.from({ length: 1_201 }, (_, index) =>
      fact(`r${index}`, { source: index === 700 ? 'exact' : 'carrier:ek' }),
    );
    const { body } = await report(facts);
    const { results } = body as { results: { outcome: string }[] };
    expect(results).toHaveLength(1_201);
    expect(results.every(({ outcome }) => outcome === 'accepted')).toBe(true);
  });

  it('are of the tenant of the key, whatever the payload says', async () => {
    const stranger = await edge.key({ tenant: 'globex', scopes: ['facts'] });
    const json = fact('k9', { tenant: 'acme' });
    expect((await edge.call('POST', '/v1/facts', { key: stranger, json })).body).toMatchObject({
      results: [{ outcome: 'accepted' }],
    });
    expect((await report(json)).body).toMatchObject({ results: [{ outcome: 'accepted' }] });
  });

  it('are answered later where the decision takes longer than the client waits', async () => {
    const resume = edge.decider.pause();
    const answer = await report(fact(7), { prefer: 'wait=0' });
    expect(answer.status).toBe(202);
    const location = answer.headers.get('location') ?? '';
    resume();
    await report(fact('k10'));
    expect(await edge.call('GET', location, { key })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('factKey'), position: location.split('/').at(-1) },
    });
  });

  it('are answered 503 only when they were not appended', async () => {
    jest.spyOn(edge.log, 'append').mockRejectedValueOnce(new LogUnavailableError('gone'));
    const answer = await report(fact('k11'));
    expect(answer).toMatchObject({ status: 503, body: { type: '/problems/log-unavailable' } });
    expect(answer.headers.get('retry-after')).toBe('1');
    expect((await report(fact('k11'))).body).toMatchObject({ results: [{ outcome: 'accepted' }] });
  });

  it.each<[string, string | Uint8Array, string, number, string]>([
    ['no JSON', '{"factKey":', 'application/json', 400, '/problems/malformed-body'],
    ['nothing', '', 'application/json', 400, '/problems/malformed-body'],
    ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'application/json', 400, '/problems/malformed-body'],
    ['20,000 arrays in each other', '['.repeat(20_000), 'application/json', 400, '/problems/malformed-body'],
    ['a member twice', '{"factKey":"a","factKey":"b"}', 'application/json', 400, '/problems/malformed-body'],
    ['10 MB and a byte', 'x'.repeat(10_000_001), 'application/json', 413, '/problems/body-too-large'],
    ['100,001 lines', '1\n'.repeat(100_001), 'application/x-ndjson', 413, '/problems/body-too-large'],
    ['a form', 'factKey=a', 'application/x-www-form-urlencoded', 415, '/problems/unsupported-media-type'],
  ])('with %s for a body are not read', async (_, body, type, status, problem) => {
    const answer = await edge.call('POST', '/v1/facts', { key, body, headers: { 'content-type': type } });
    expect(answer).toMatchObject({ status, body: { type: problem, detail: expect.any(String) } });
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
  });

  it('of a compressed body are not read', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect(await edge.call('POST', '/v1/facts', { key, body: 'x', headers })).toMatchObject({ status: 415 });
  });

  it('of a body as large as may be are taken', async () => {
    const start = '[{"factKey":"big","observedAt":"x"},"';
    const body = `${start}${'x'.repeat(10_000_000 - start.length - 2)}"]`;
    const answer = await edge.call('POST', '/v1/facts', { key, body, headers: { 'content-type': 'application/json' } });
    expect(answer).toMatchObject({ status: 207, body: { results: [{ outcome: 'refused' }, { outcome: 'refused' }] } });
  });

  it('need a key that may report', async () => {
    const reader = await edge.key({ scopes: ['read', 'observe'] });
    expect(await edge.call('POST', '/v1/facts', { key: reader, json: fact('k') })).toMatchObject({ status: 403 });
    expect(await edge.call('POST', '/v1/facts', { json: fact('k') })).toMatchObject({ status: 401 });
  });
});
