// Observations, over HTTP, decided by the real core.
import { type CardServer, type EdgeApp, startCardServer, startEdgeApp } from '#testing';
import { IntakeModule } from './intake.module.ts';

const URI = 'https://rsaxb.com/a2a/expectations/v1';
const hourAgo = new Date(Date.now() - 3_600_000).toISOString();

const expectation = (expectationId: string, over: Record<string, unknown> = {}) => ({
  expectationId,
  kind: 'shipment.departure',
  subject: { type: 'shipment', id: 'PA-1' },
  expects: 'PA-1 departs',
  satisfiedBy: { factKey: `departed:${expectationId}` },
  dueAt: '2099-01-01T00:00:00Z',
  basis: 'observed',
  ...over,
});

const observation = (taskId: string, block: Record<string, unknown>, over: Record<string, unknown> = {}) => ({
  agentId: 'booking',
  task: {
    id: taskId,
    contextId: 'c1',
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts: [{ artifactId: `a-${taskId}`, parts: [{ text: 'x' }], metadata: { [URI]: block } }],
  },
  ...over,
});

describe('observations', () => {
  let edge: EdgeApp;
  let cards: CardServer;
  let key: string;

  beforeAll(async () => {
    [edge, cards] = await Promise.all([startEdgeApp([IntakeModule]), startCardServer()]);
    key = await edge.key();
    await edge.call('PUT', '/v1/agents/booking', { key, json: { cardUrl: cards.url } });
  });

  afterAll(() => Promise.all([edge.close(), cards.close()]));

  const observe = (json: unknown, headers: Record<string, string> = {}) =>
    edge.call('POST', '/v1/observations', { key, json, headers });

  it('are answered per expectation', async () => {
    const block = { expectations: [expectation('m1'), expectation('m2', { basis: 'guess' })] };
    expect(await observe(observation('t1', block))).toMatchObject({ status: 200 });
    const answer = await observe(
      observation('t1', { expectations: [expectation('m1'), expectation('m3', { kind: 'x' })] }),
    );
    expect(answer).toMatchObject({
      status: 207,
      body: {
        results: [
          {
            expectations: [
              { expectationId: 'm1', outcome: 'repeated' },
              { expectationId: 'm3', outcome: 'refused', code: 'undeclared_kind', message: expect.any(String) },
            ],
            facts: [],
            withdrawn: [],
          },
        ],
        position: expect.stringMatching(/^\d+-\d+$/),
      },
    });
  });

  it('are told of subjects and keys that look like personal data, and taken all the same (§14)', async () => {
    const personal = expectation('p1', { subject: { type: 'person', id: 'jane@example.com' } });
    const keyed = expectation('p2', { satisfiedBy: { factKey: 'called:+44 20 7946 0958' } });
    const fact = { factKey: 'met:jane@example.com', observedAt: hourAgo, source: 'agent' };
    const block = { expectations: [personal, expectation('p3'), keyed], facts: [fact] };
    const answer = await observe(observation('t14', block));
    const recorded = { outcome: 'recorded' };
    expect(answer).toMatchObject({
      status: 200,
      body: { results: [{ expectations: [recorded, recorded, recorded], facts: [{ outcome: 'accepted' }] }] },
    });
    const [result] = (answer.body as { results: { notes: { path: string; message: string }[] }[] }).results;
    expect(result?.notes.map(({ path, message }) => `${path.split('"].').at(-1)} ${message}`)).toEqual([
      expect.stringMatching(/^expectations\[0\]\.subject\.id looks like an e-mail address.*§14/),
      expect.stringMatching(/^expectations\[2\]\.satisfiedBy\.factKey looks like a telephone number.*§14/),
      expect.stringMatching(/^facts\[0\]\.factKey looks like an e-mail address.*§14/),
    ]);
  });

  it('show warnings, what was withdrawn, and what facts satisfied', async () => {
    const { body } = await observe(observation('t2', { expectations: [expectation('w1', { basis: 'guess' })] }));
    expect(body).toMatchObject({ results: [{ expectations: [{ outcome: 'recorded', warnings: ['basis_unknown'] }] }] });
    const fact = { factKey: 'departed:w2', observedAt: hourAgo, source: 'whoever' };
    const block = { expectations: [expectation('w2')], withdraw: ['w1'], reason: 'no more', facts: [fact, {}] };
    expect(await observe(observation('t2b', block))).toMatchObject({
      status: 207,
      body: {
        results: [
          {
            expectations: [{ expectationId: 'w2', outcome: 'recorded' }],
            withdrawn: [{ expectationId: 'w1', withdrawn: 'agent', reason: 'no more' }],
            facts: [
              { outcome: 'accepted', satisfied: [{ agentId: 'booking', expectationId: 'w2' }] },
              { outcome: 'refused', code: 'invalid' },
            ],
          },
        ],
      },
    });
  });

  it('say why the edge let an item into the record as a stub only', async () => {
    const long = expectation('long', { expects: 'x'.repeat(4_001) });
    const nul = expectation('nul', { expects: 'a\0b' });
    const answer = await observe(observation('t3', { expectations: [long, expectation('fine'), nul, 7] }));
    expect(answer).toMatchObject({
      status: 207,
      body: {
        results: [
          {
            expectations: [
              { expectationId: 'long', code: 'invalid', message: expect.stringContaining('longer than 4,000') },
              { expectationId: 'fine', outcome: 'recorded' },
              { expectationId: 'nul', code: 'invalid', message: expect.stringContaining('NUL') },
              { expectationId: null, code: 'invalid' },
            ],
          },
        ],
      },
    });
  });

  it('take the facts of a client in its own name, if it may claim the source', async () => {
    const feed = await edge.key({ name: 'feed', scopes: ['observe'], sources: ['carrier:*'] });
    await observe(observation('t4', { expectations: [expectation('f1'), expectation('f2')] }));
    const fact = (id: string, source: string) => ({
      factKey: `departed:${id}`,
      observedAt: hourAgo,
      source,
    });
    const metadata = { [URI]: { facts: [fact('f1', 'carrier:ek'), fact('f2', 'agent:booking')] } };
    const json = { agentId: 'booking', message: { messageId: 'm', role: 'ROLE_USER', parts: [], metadata } };
    expect(await edge.call('POST', '/v1/observations', { key: feed, json })).toMatchObject({
      status: 207,
      body: {
        results: [
          {
            facts: [
              { outcome: 'accepted', satisfied: [{ expectationId: 'f1' }] },
              { outcome: 'refused', code: 'source_not_allowed', satisfied: [] },
            ],
          },
        ],
      },
    });
  });

  it('may come in an array, each answered in its place', async () => {
    const answer = await observe([
      observation('t5', { expectations: [expectation('b1')] }),
      observation('t5', {}, { agentId: 'nobody' }),
      { agentId: 'booking' },
      'not an object',
      observation('t6', { expectations: [expectation('b2')] }),
    ]);
    expect(answer).toMatchObject({
      status: 207,
      body: {
        results: [
          { expectations: [{ expectationId: 'b1', outcome: 'recorded' }] },
          { outcome: 'refused', code: 'agent_unknown', message: expect.stringContaining('"nobody"'), expectations: [] },
          { outcome: 'refused', code: 'invalid', message: expect.stringContaining('$[2]') },
          { outcome: 'refused', code: 'invalid', message: expect.stringContaining('$[3]') },
          { expectations: [{ expectationId: 'b2', outcome: 'recorded' }] },
        ],
      },
    });
  });

  it('that concern the watcher in nothing are taken all the same', async () => {
    expect(await observe([])).toEqual(expect.objectContaining({ status: 200, body: { results: [] } }));
    const json = { agentId: 'booking', message: { messageId: 'm', role: 'ROLE_AGENT', parts: [] } };
    expect((await observe(json)).body).toEqual({ results: [{ expectations: [], facts: [], withdrawn: [] }] });
  });

  it('of an unknown agent are refused naming it', async () => {
    expect(await observe(observation('t7', {}, { agentId: 'nobody' }))).toMatchObject({
      status: 404,
      body: { type: '/problems/agent-unknown', agentId: 'nobody' },
    });
  });

  it('of another tenant cannot be made, whatever the payload says', async () => {
    const stranger = await edge.key({ tenant: 'globex' });
    const json = observation('t8', { expectations: [expectation('x1')] }, { tenant: 'acme' });
    expect(await edge.call('POST', '/v1/observations', { key: stranger, json })).toMatchObject({ status: 404 });
    expect(await observe(observation('t8', { expectations: [expectation('x1')] }, { tenant: 'globex' }))).toMatchObject(
      {
        status: 200,
        body: { results: [{ expectations: [{ expectationId: 'x1', outcome: 'recorded' }] }] },
      },
    );
  });

  it.each<[string, unknown, string]>([
    ['no agent', { task: {} }, '$.agentId'],
    ['an agent of the wrong type', observation('t9', {}, { agentId: 7 }), '$.agentId'],
    ['NUL in an id', observation('t\0', {}), '$.task.id'],
    ['two members', { ...observation('t9', {}), message: {} }, 'exactly one of'],
    ['a task that is none', { agentId: 'booking', task: [] }, '$.task'],
    ['null', null, '$ must be an object'],
  ])('with %s are refused naming the place', async (_, json, place) => {
    expect(await observe(json)).toMatchObject({ status: 422, body: { detail: expect.stringContaining(place) } });
  });

  it('wait for their decision as long as the client likes, and are answered later', async () => {
    const resume = edge.decider.pause();
    const answer = await observe([observation('t10', { expectations: [expectation('l1')] }), {}], { prefer: 'wait=0' });
    const location = `/v1/decisions/${(answer.body as { position: string }).position}`;
    expect(answer.status).toBe(202);
    expect(answer.headers.get('location')).toBe(location);
    const stranger = await edge.key({ tenant: 'globex' });
    expect(await edge.call('GET', location, { key: stranger })).toMatchObject({ status: 404 });
    resume();
    await observe(observation('t11', { expectations: [expectation('l2')] }));
    expect(await edge.call('GET', location, { key })).toMatchObject({
      status: 207,
      body: { results: [{ expectations: [{ expectationId: 'l1', outcome: 'recorded' }] }, { outcome: 'refused' }] },
    });
    expect(await edge.call('GET', '/v1/decisions/0-999999', { key })).toMatchObject({ status: 404 });
    expect(await edge.call('GET', '/v1/decisions/1-999999', { key })).toMatchObject({ status: 404 });
    expect(await edge.call('GET', '/v1/decisions/nonsense', { key })).toMatchObject({ status: 404 });
  });

  it('need a key that may observe', async () => {
    const feed = await edge.key({ scopes: ['facts'] });
    const json = observation('t12', {});
    expect(await edge.call('POST', '/v1/observations', { key: feed, json })).toMatchObject({ status: 403 });
    expect(await edge.call('POST', '/v1/observations', { json })).toMatchObject({ status: 401 });
  });
});
