// The guard and the keys API, over HTTP.
import { type EdgeApp, startEdgeApp } from '#testing';
import { ApiKeys } from './api-keys.ts';
import { ensureFirstKey } from './bootstrap.ts';

describe('keys', () => {
  let edge: EdgeApp;
  let operator: string;
  let administrator: string;

  beforeAll(async () => {
    edge = await startEdgeApp([]);
    operator = await edge.key({ tenant: 'default', scopes: ['admin'] });
    administrator = await edge.key({ tenant: 'acme', scopes: ['admin'] });
  });

  afterAll(() => edge.close());

  const wanted = { name: 'feed', scopes: ['facts'], sources: ['carrier:*'] };
  const keysOf = async (key: string, query = '') => {
    const { body } = await edge.call('GET', `/v1/keys${query}`, { key });
    return (body as { items: { keyId: string; tenant: string }[] }).items;
  };

  it('are shown once, when they are made, and work at once', async () => {
    const made = await edge.call('POST', '/v1/keys', { key: administrator, json: wanted });
    expect(made).toMatchObject({
      status: 201,
      body: { ...wanted, tenant: 'acme', keyId: expect.any(String), key: expect.stringMatching(/^dw_[\w-]{43}$/) },
    });
    const { key, keyId } = made.body as { key: string; keyId: string };
    expect((await edge.call('GET', '/v1/keys', { key })).status).toBe(403);
    const listed = await edge.call('GET', '/v1/keys', { key: administrator });
    expect(listed.body).toMatchObject({ items: expect.arrayContaining([expect.objectContaining({ keyId })]) });
    expect(JSON.stringify(listed.body)).not.toContain(key);
  });

  it('count no more once they are revoked', async () => {
    const made = await edge.call('POST', '/v1/keys', { key: administrator, json: { ...wanted, scopes: ['admin'] } });
    const { key, keyId } = made.body as { key: string; keyId: string };
    expect((await edge.call('GET', '/v1/keys', { key })).status).toBe(200);
    expect((await edge.call('DELETE', `/v1/keys/${keyId}`, { key: administrator })).status).toBe(204);
    expect(await edge.call('GET', '/v1/keys', { key })).toMatchObject({ status: 401 });
    expect((await edge.call('DELETE', `/v1/keys/${keyId}`, { key: administrator })).status).toBe(204);
    expect(await keysOf(administrator)).toContainEqual(
      expect.objectContaining({ keyId, revokedAt: expect.any(String) }),
    );
  });

  it('that another process revoked count no more after 2 s', async () => {
    let now = 0;
    const elsewhere = new ApiKeys(edge.database, { now: () => now, sleep: () => Promise.resolve() });
    const { key, secret } = await edge.keys.make({ ...wanted, tenant: 'acme', scopes: ['facts'] });
    expect(await elsewhere.resolve(secret)).toMatchObject({ tenant: 'acme', name: 'feed', sources: ['carrier:*'] });
    await edge.keys.revoke(key.keyId);
    now = 1_999;
    expect(await elsewhere.resolve(secret)).toBeDefined();
    now = 2_000;
    expect(await elsewhere.resolve(secret)).toBeUndefined();
  });

  it('of another tenant can neither be made, seen nor revoked', async () => {
    const theirs = await edge.call('POST', '/v1/keys', { key: operator, json: { ...wanted, tenant: 'globex' } });
    const { keyId, key } = theirs.body as { keyId: string; key: string };
    expect(theirs).toMatchObject({ status: 201, body: { tenant: 'globex' } });
    const forbidden = { status: 403, body: { type: '/problems/forbidden', field: 'tenant' } };
    const inGlobex = { key: administrator, json: { ...wanted, tenant: 'globex' } };
    expect(await edge.call('POST', '/v1/keys', inGlobex)).toMatchObject(forbidden);
    expect(await edge.call('GET', '/v1/keys?tenant=globex', { key: administrator })).toMatchObject(forbidden);
    expect(await edge.call('DELETE', `/v1/keys/${keyId}`, { key: administrator })).toMatchObject({ status: 404 });
    expect((await keysOf(administrator)).every(({ tenant }) => tenant === 'acme')).toBe(true);
    expect((await edge.call('GET', '/v1/keys', { key })).status).toBe(403);
  });

  it('of every tenant are seen by the operator', async () => {
    const tenants = new Set((await keysOf(operator)).map(({ tenant }) => tenant));
    expect(tenants).toEqual(new Set(['default', 'acme', 'globex']));
    expect((await keysOf(operator, '?tenant=globex')).map(({ tenant }) => tenant)).toEqual(['globex']);
  });

  it.each([
    ['none', undefined],
    ['an unknown one', 'Bearer dw_unknown'],
    ['another scheme', 'Basic YTpi'],
    ['two words', 'Bearer a b'],
    ['an endless one', `Bearer ${'a'.repeat(5_000)}`],
  ])('are needed: with %s the answer is 401', async (_, authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await edge.call('GET', '/v1/keys', { headers });
    expect(answer).toMatchObject({ status: 401, body: { type: '/problems/unauthenticated', status: 401 } });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
  });

  it('are refused naming the field', async () => {
    const wrong = { key: administrator, json: { ...wanted, scopes: ['root'] } };
    expect(await edge.call('POST', '/v1/keys', wrong)).toMatchObject({ status: 422, body: { field: 'scopes[0]' } });
    expect(await edge.call('DELETE', '/v1/keys/%00', { key: administrator })).toMatchObject({ status: 422 });
    expect(await edge.call('DELETE', '/v1/keys/%ff', { key: administrator })).toMatchObject({ status: 400 });
    expect(await edge.call('GET', '/v1/keys?tenant=a&tenant=b', { key: operator })).toMatchObject({ status: 422 });
    expect(await edge.call('GET', '/v1/keys?tenat=a', { key: operator })).toMatchObject({ body: { field: 'tenat' } });
  });

  it('are not asked for where there is nothing', async () => {
    expect(await edge.call('GET', '/nowhere')).toMatchObject({ status: 404, body: { type: '/problems/not-found' } });
  });
});

describe('the first key', () => {
  let edge: EdgeApp;

  beforeEach(async () => {
    edge = await startEdgeApp([]);
  });

  afterEach(() => edge.close());

  it('is made once, and shown to whoever made it', async () => {
    const secret = await ensureFirstKey(edge.keys, {});
    expect(await edge.keys.resolve(secret ?? '')).toMatchObject({ tenant: 'default', scopes: ['admin'] });
    expect(await ensureFirstKey(edge.keys, {})).toBeUndefined();
  });

  it('is the one that the configuration names, until it names another', async () => {
    expect(await ensureFirstKey(edge.keys, { bootstrapKey: 'first-key' })).toBeUndefined();
    await ensureFirstKey(edge.keys, { bootstrapKey: 'first-key' });
    expect(await edge.keys.resolve('first-key')).toMatchObject({ tenant: 'default', scopes: ['admin'] });
    await ensureFirstKey(edge.keys, { bootstrapKey: 'second-key' });
    expect(await edge.keys.resolve('first-key')).toBeUndefined();
    expect(await edge.keys.resolve('second-key')).toMatchObject({ tenant: 'default' });
    expect(await edge.keys.list('default')).toHaveLength(2);
  });

  it('is one, however many processes start at once with it', async () => {
    await Promise.all([1, 2, 3, 4, 5].map(() => ensureFirstKey(edge.keys, { bootstrapKey: 'first-key' })));
    expect(await edge.keys.list('default')).toHaveLength(1);
  });

  it('stays revoked when it was', async () => {
    await ensureFirstKey(edge.keys, { bootstrapKey: 'first-key' });
    const [key] = await edge.keys.list();
    await edge.keys.revoke(key?.keyId ?? '');
    const warnings: string[] = [];
    await ensureFirstKey(edge.keys, { bootstrapKey: 'first-key' }, (message) => warnings.push(message));
    expect(await edge.keys.resolve('first-key')).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining('was revoked')]);
  });

  it('stays the one that counts where the configuration goes back to one that was revoked', async () => {
    for (const bootstrapKey of ['first-key', 'second-key', 'first-key'])
      await ensureFirstKey(edge.keys, { bootstrapKey });
    expect(await edge.keys.resolve('first-key')).toBeUndefined();
    expect(await edge.keys.resolve('second-key')).toMatchObject({ scopes: ['admin'] });
  });
});
