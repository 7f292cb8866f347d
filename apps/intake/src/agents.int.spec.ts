// Registering agents, over HTTP.
import { decodeInbox, partitionOf } from '#event-log';
import { AgentDirectory, CredentialSeal, systemClock } from '#runtime';
import { type CardServer, type EdgeApp, exampleCard, startCardServer, startEdgeApp } from '#testing';
import { IntakeModule } from './intake.module.ts';

describe('agents', () => {
  let edge: EdgeApp;
  let cards: CardServer;
  let key: string;

  beforeAll(async () => {
    [edge, cards] = await Promise.all([startEdgeApp([IntakeModule]), startCardServer()]);
    key = await edge.key({ scopes: ['agents'] });
  });

  beforeEach(() => {
    cards.card = exampleCard();
  });

  afterAll(() => Promise.all([edge.close(), cards.close()]));

  const put = (agentId: string, json: unknown, headers: Record<string, string> = {}) =>
    edge.call('PUT', `/v1/agents/${agentId}`, { key, json, headers });

  const inboxOf = async (tenant: string) => {
    const partition = partitionOf(tenant, edge.log.partitionCount);
    const records = await edge.log.read('inbox', partition, { from: 0, limit: 1_000 });
    return records.filter((record) => record.tenant === tenant).map((record) => decodeInbox(record.value));
  };

  it('are registered by the URL of their card, and told to the log', async () => {
    const answer = await put('booking', { cardUrl: cards.url });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        agentId: 'booking',
        cardUrl: cards.url,
        declaration: { keepsTime: false, lapseSkill: 'handle_lapse', kinds: [{ kind: 'shipment.departure' }] },
        findings: [],
        position: expect.stringMatching(/^\d+-\d+$/),
      },
    });
    expect(await inboxOf('acme')).toContainEqual(
      expect.objectContaining({ type: 'agentDeclared', agentId: 'booking' }),
    );
    expect(await edge.call('GET', '/v1/agents/booking', { key })).toMatchObject({
      status: 200,
      body: { agentId: 'booking', findings: [] },
    });
  });

  it('are told what is wrong with their declaration, and registered all the same', async () => {
    cards.card = exampleCard({ lapseSkill: 'nowhere' });
    const answer = await put('odd', { cardUrl: cards.url });
    expect(answer).toMatchObject({
      status: 200,
      body: { findings: [{ code: 'lapse_skill_unknown', severity: 'error' }] },
    });
  });

  it('are not registered without a usable declaration', async () => {
    cards.card = { name: 'Booking' };
    expect(await put('bare', { cardUrl: cards.url })).toMatchObject({
      status: 422,
      body: { type: '/problems/declaration-unusable', findings: [expect.anything(), { code: 'extension_missing' }] },
    });
    expect(await edge.call('GET', '/v1/agents/bare', { key })).toMatchObject({ status: 404 });
  });

  it('are not registered where the card cannot be read', async () => {
    cards.card = '{"name":';
    const unreadable = { status: 422, body: { type: '/problems/card-unreadable', field: 'cardUrl' } };
    expect(await put('torn', { cardUrl: cards.url })).toMatchObject(unreadable);
    expect(await put('gone', { cardUrl: 'http://127.0.0.1:1/' })).toMatchObject(unreadable);
    expect(await put('file', { cardUrl: 'file:///etc/passwd' })).toMatchObject(unreadable);
  });

  it('are called with a credential that is never shown and lies encrypted in the table', async () => {
    const auth = { type: 'header', name: 'X-Api-Key', value: 'open-sesame' };
    const answer = await put('guarded', { cardUrl: cards.url, auth });
    expect(answer).toMatchObject({ status: 200, body: { auth: { type: 'header' } } });
    expect(cards.requests.at(-1)).toMatchObject({ 'x-api-key': 'open-sesame' });
    const listed = await edge.call('GET', '/v1/agents', { key });
    const rows: unknown = await edge.database.query('SELECT *, auth_sealed::text AS sealed FROM duewatch_edge.agent');
    expect(JSON.stringify([answer.body, listed.body, rows])).not.toContain('sesame');
    const directory = new AgentDirectory(edge.database, systemClock, new CredentialSeal(new Uint8Array(32).fill(1)));
    expect(await directory.find('acme', 'guarded')).toMatchObject({ auth, card: { name: 'Booking' } });
    expect(await directory.find('globex', 'guarded')).toBeUndefined();
  });

  it('may have settings of their own, told to the log before the declaration', async () => {
    await put('self-timed', { cardUrl: cards.url, settings: { dispatchSelfTimed: true } });
    const told = (await inboxOf('acme')).filter((input) => 'agentId' in input && input.agentId === 'self-timed');
    expect(told).toMatchObject([
      { type: 'configured', settings: { dispatchSelfTimed: true } },
      { type: 'agentDeclared' },
    ]);
  });

  it.each<[string, unknown]>([
    ['cardUrl', {}],
    ['cardUrl', { cardUrl: 7 }],
    ['tenant', { cardUrl: 'http://127.0.0.1', tenant: 'globex' }],
    ['auth.type', { cardUrl: 'http://127.0.0.1', auth: { type: 'basic' } }],
    ['auth.token', { cardUrl: 'http://127.0.0.1', auth: { type: 'bearer', token: 'a\r\nHost: evil' } }],
    ['auth.name', { cardUrl: 'http://127.0.0.1', auth: { type: 'header', name: 'Host', value: 'evil' } }],
    ['auth.name', { cardUrl: 'http://127.0.0.1', auth: { type: 'header', name: 'Expect', value: 'evil' } }],
    ['settings', { cardUrl: 'http://127.0.0.1', settings: { earlyFactWindow: 'PT2H' } }],
  ])('are refused naming %s', async (field, body) => {
    expect(await put('refused', body)).toMatchObject({ status: 422, body: { type: '/problems/invalid-field', field } });
  });

  it('are of their tenant alone', async () => {
    await put('booking', { cardUrl: cards.url });
    const stranger = await edge.key({ tenant: 'globex' });
    expect((await edge.call('GET', '/v1/agents', { key: stranger })).body).toEqual({ items: [] });
    expect(await edge.call('GET', '/v1/agents/booking', { key: stranger })).toMatchObject({ status: 404 });
    const before = (await inboxOf('acme')).length;
    await edge.call('PUT', '/v1/agents/booking', { key: stranger, json: { cardUrl: cards.url } });
    expect((await inboxOf('acme')).length).toBe(before);
    expect(await inboxOf('globex')).toHaveLength(1);
  });

  it('are listed in pages', async () => {
    const pager = await edge.key({ tenant: 'initech' });
    for (const id of ['a', 'B', 'é']) {
      await edge.call('PUT', `/v1/agents/${encodeURIComponent(id)}`, { key: pager, json: { cardUrl: cards.url } });
    }
    const first = (await edge.call('GET', '/v1/agents?limit=2', { key: pager })).body as {
      items: unknown[];
      next: string;
    };
    expect(first).toMatchObject({ items: [{ agentId: 'B' }, { agentId: 'a' }], next: 'a' });
    const second = await edge.call('GET', `/v1/agents?limit=2&cursor=${first.next}&after=0-1`, { key: pager });
    expect(second.body).toEqual({ items: [expect.objectContaining({ agentId: 'é' })] });
    for (const [field, value] of [
      ['limit', '0'],
      ['after', 'a'],
      ['cursor', '%00'],
      ['tenant', 'acme'],
    ]) {
      const answer = await edge.call('GET', `/v1/agents?${field}=${value}`, { key: pager });
      expect(answer).toMatchObject({ status: 422, body: { field } });
    }
  });

  it('are listed in shorter pages where their cards say much', async () => {
    const pager = await edge.key({ tenant: 'hooli' });
    const kinds = Array.from({ length: 200 }, (_, index) => ({ kind: `k${index}`, describes: 'é'.repeat(2_000) }));
    cards.card = exampleCard({ kinds });
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    await Promise.all(
      ids.map((id) => edge.call('PUT', `/v1/agents/${id}`, { key: pager, json: { cardUrl: cards.url } })),
    );
    const seen: string[] = [];
    const pageLengths: number[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const path: string = cursor === '' ? '/v1/agents' : `/v1/agents?cursor=${cursor}`;
      const page = (await edge.call('GET', path, { key: pager })).body as {
        items: { agentId: string }[];
        next?: string;
      };
      seen.push(...page.items.map(({ agentId }) => agentId));
      pageLengths.push(page.items.length);
      cursor = page.next;
    }
    expect(seen).toEqual(ids);
    expect(Math.max(...pageLengths)).toBeLessThan(ids.length);
  });

  it('may have an id of 1,024 characters, however many units and bytes they are', async () => {
    const id = String.fromCodePoint(...Array.from({ length: 1_024 }, (_, index) => 0x1_0000 + index * 997));
    expect(await put(encodeURIComponent(id), { cardUrl: cards.url })).toMatchObject({ status: 200 });
    expect(await put(encodeURIComponent(`${id}x`), { cardUrl: cards.url })).toMatchObject({
      status: 422,
      body: { field: 'agentId' },
    });
    const read = await edge.call('GET', `/v1/agents/${encodeURIComponent(id)}`, { key });
    expect(read).toMatchObject({ status: 200, body: { agentId: id } });
  });

  it('are answered later where the decision takes longer than the client waits', async () => {
    const resume = edge.decider.pause();
    const answer = await put('later', { cardUrl: cards.url }, { prefer: 'wait=0' });
    expect(answer).toMatchObject({ status: 202, body: { position: expect.any(String) } });
    const location = answer.headers.get('location') ?? '';
    expect(await edge.call('GET', location, { key })).toMatchObject({ status: 202 });
    resume();
    await edge.call('PUT', '/v1/agents/after', { key, json: { cardUrl: cards.url } });
    expect(await edge.call('GET', location, { key })).toMatchObject({
      status: 200,
      body: { agentId: 'later', findings: [] },
    });
  });

  it('need a key that may register them', async () => {
    const reader = await edge.key({ scopes: ['read'] });
    const json = { cardUrl: cards.url };
    expect(await edge.call('PUT', '/v1/agents/booking', { key: reader, json })).toMatchObject({ status: 403 });
    expect(await edge.call('PUT', '/v1/agents/booking', { json })).toMatchObject({ status: 401 });
  });
});
