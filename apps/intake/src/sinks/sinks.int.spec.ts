// Setting sinks, over HTTP.
import { SinkDirectory } from '#runtime';
import { type EdgeApp, startEdgeApp } from '#testing';
import { IntakeModule } from '../intake.module.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const chat = { type: 'slack', url: 'https://chat.example/services/very-secret?token=x' };

describe('sinks', () => {
  let edge: EdgeApp;
  let key: string;

  beforeAll(async () => {
    edge = await startEdgeApp([IntakeModule]);
    key = await edge.key({ scopes: ['operate'] });
  });
  afterAll(() => edge.close());

  const put = (sinkId: string, json: unknown, by = key) => edge.call('PUT', `/v1/sinks/${sinkId}`, { key: by, json });

  it('are set, listed without their secrets, known to the sender, and removed', async () => {
    const header = { name: 'X-Key', value: 'let-me-in' };
    const set = await put('ops', { ...chat, secret, header, lapses: ['overdue'], kind: 'k' });
    expect(set).toMatchObject({
      status: 200,
      body: { sinkId: 'ops', type: 'slack', origin: 'https://chat.example', isSigned: true, groupBySeconds: 30 },
    });
    const list = await edge.call('GET', '/v1/sinks', { key });
    expect(list.body).toEqual({ items: [set.body] });
    expect(JSON.stringify([set.body, list.body])).not.toMatch(/very-secret|token=x|whsec|let-me-in/);
    const stored = await edge.database.query<unknown[]>('SELECT * FROM duewatch_edge.sink');
    expect(JSON.stringify(stored)).not.toMatch(/very-secret|whsec|let-me-in/);
    await expect(edge.get(SinkDirectory).find('acme', 'ops')).resolves.toEqual({ ...chat, secret, header });
    expect((await edge.call('DELETE', '/v1/sinks/ops', { key })).status).toBe(204);
    expect((await edge.call('DELETE', '/v1/sinks/ops', { key })).status).toBe(404);
    await expect(edge.get(SinkDirectory).find('acme', 'ops')).resolves.toBeUndefined();
  });

  it('show what they did not take last, and how much they are never told, until they are set anew', async () => {
    const directory = edge.get(SinkDirectory);
    const view = async () => ((await edge.call('GET', '/v1/sinks', { key })).body as { items: unknown[] }).items[0];
    expect((await put('ops', chat)).body).toMatchObject({ givenUpCount: 0 });
    const at = new Date('2026-09-01T00:00:00Z');
    await directory.noteFailure('acme', 'ops', { cause: 'it answered with 403', at, isGivenUp: true });
    await directory.noteFailure('acme', 'ops', { cause: 'it cannot be reached', at, isGivenUp: false });
    await directory.noteFailure('acme', 'gone', { cause: 'it answered with 403', at, isGivenUp: true });
    await directory.noteFailure('umbrella', 'ops', { cause: 'it answered with 403', at, isGivenUp: true });
    const lastFailure = { at: '2026-09-01T00:00:00.000Z', cause: 'it cannot be reached' };
    await expect(view()).resolves.toMatchObject({ sinkId: 'ops', givenUpCount: 1, lastFailure });
    await put('ops', chat);
    await expect(view()).resolves.toMatchObject({ givenUpCount: 0 });
    await expect(view()).resolves.not.toHaveProperty('lastFailure');
    await edge.call('DELETE', '/v1/sinks/ops', { key });
  });

  it('are the tenant’s own', async () => {
    const other = await edge.key({ tenant: 'umbrella', scopes: ['operate'] });
    await put('ours', chat);
    expect((await edge.call('GET', '/v1/sinks', { key: other })).body).toEqual({ items: [] });
    expect((await edge.call('DELETE', '/v1/sinks/ours', { key: other })).status).toBe(404);
    await edge.call('DELETE', '/v1/sinks/ours', { key });
  });

  it('need the scope operate', async () => {
    const reader = await edge.key({ scopes: ['read', 'agents', 'observe', 'facts'] });
    expect((await put('ops', chat, reader)).status).toBe(403);
    expect((await edge.call('GET', '/v1/sinks', { key: reader })).status).toBe(403);
  });

  it('are at most twenty of a tenant, also when they are set at once', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, (_, index) => put(`s${index}`, chat)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    const refused = answers.find(({ status }) => status !== 200);
    expect(refused).toMatchObject({ status: 422, body: { field: 'sinkId' } });
    const kept = statuses.indexOf(200);
    expect((await put(`s${kept}`, { ...chat, groupBySeconds: 0 })).status).toBe(200);
  });

  it.each([
    ['type', { ...chat, type: 'mail' }],
    ['url', { type: 'slack', url: 'file:///etc/passwd' }],
    ['url', { type: 'slack', url: 'https://me:pw@chat.example/' }],
    ['secret', { ...chat, secret: 'whsec_c2hvcnQ=' }],
    ['header.name', { ...chat, header: { name: 'webhook-id', value: 'x' } }],
    ['header.name', { ...chat, header: { name: 'Host', value: 'x' } }],
    ['header.value', { ...chat, header: { name: 'X-Key', value: 'a\r\nb' } }],
    ['lapses', { ...chat, lapses: ['late'] }],
    ['lapses', { ...chat, lapses: [] }],
    ['agentId', { ...chat, agentId: 7 }],
    ['kind', { ...chat, kind: '' }],
    ['groupBySeconds', { ...chat, groupBySeconds: 3_601 }],
    ['colour', { ...chat, colour: 'red' }],
  ])('are refused naming the field: %s', async (field, json) => {
    const answer = await put('s0', json);
    expect(answer).toMatchObject({ status: 422, body: { field } });
    expect(JSON.stringify(answer.body)).not.toContain('c2hvcnQ');
  });

  it('are refused by an id that is none', async () => {
    expect(await put('a%20b', chat)).toMatchObject({ status: 422, body: { field: 'sinkId' } });
  });
});
