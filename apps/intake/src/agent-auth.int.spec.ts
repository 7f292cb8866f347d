// The credentials that agents are registered with, over HTTP.
import { AgentDirectory, CredentialSeal, systemClock } from '#runtime';
import {
  agentIdentity,
  type CardServer,
  type EdgeApp,
  exampleCard,
  startCardServer,
  startEdgeApp,
  startTokenServer,
  strayKey,
  testAuthority,
  type TokenServer,
  watcherIdentity,
} from '#testing';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { IntakeModule } from './intake.module.ts';

let edge: EdgeApp;
let cards: CardServer;
let tokens: TokenServer;
let key: string;

beforeAll(async () => {
  [edge, cards, tokens] = await Promise.all([startEdgeApp([IntakeModule]), startCardServer(), startTokenServer()]);
  key = await edge.key({ scopes: ['agents'] });
});

beforeEach(() => {
  cards.card = exampleCard();
  tokens.fault = undefined;
});

afterAll(() => Promise.all([edge.close(), cards.close(), tokens.close()]));

const put = (agentId: string, json: unknown) => edge.call('PUT', `/v1/agents/${agentId}`, { key, json });
const directory = () => new AgentDirectory(edge.database, systemClock, new CredentialSeal(new Uint8Array(32).fill(1)));

/** Everything that is kept and shown of an agent, the sealed credential included. */
async function everywhere(agentId: string): Promise<string> {
  const view = await edge.call('GET', `/v1/agents/${agentId}`, { key });
  const rows: unknown = await edge.database.query(
    `SELECT *, encode(auth_sealed, 'escape') AS sealed FROM duewatch_edge.agent`,
  );
  return JSON.stringify([view.body, rows]);
}

describe('a client of OAuth', () => {
  const oauth = () => ({ type: 'oauth2', tokenUrl: tokens.url, clientId: 'watcher', clientSecret: 'open-sesame' });

  it('is registered: the card is asked for with a token, and only the type is shown', async () => {
    const auth = { ...oauth(), scope: 'lapses', audience: 'agents' };
    const answer = await put('oauth', { cardUrl: cards.url, auth });
    expect(answer).toMatchObject({ status: 200, body: { auth: { type: 'oauth2' } } });
    expect(cards.requests.at(-1)?.authorization).toBe('Bearer token-1');
    const shown = await everywhere('oauth');
    for (const secret of ['sesame', 'token-1', 'watcher']) expect(shown).not.toContain(secret);
    expect(await directory().find('acme', 'oauth')).toMatchObject({ auth, cardUrl: cards.url });
  });

  it('that is given no token is told so, without its secret', async () => {
    tokens.fault = { status: 401, body: '{"error":"invalid_client","error_description":"open-sesame"}' };
    const answer = await put('denied', { cardUrl: cards.url, auth: { ...oauth(), clientId: 'denied' } });
    expect(answer).toMatchObject({ status: 422, body: { code: 'token_refused', retryable: false } });
    expect(JSON.stringify(answer.body)).toMatch(/401: invalid_client/);
    expect(JSON.stringify(answer.body)).not.toContain('sesame');
  });
});

it('a certificate is registered: the card is asked for with it, and its key is never shown', async () => {
  const names: unknown[] = [];
  const tls = { cert: agentIdentity.certificate, key: agentIdentity.privateKey, ca: testAuthority };
  const server = createServer({ ...tls, requestCert: true, rejectUnauthorized: true }, (request, response) => {
    names.push('getPeerCertificate' in request.socket);
    response.end(JSON.stringify(exampleCard()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cardUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const auth = { type: 'mtls', ...watcherIdentity, authorities: testAuthority };
  expect(await put('mutual', { cardUrl, auth })).toMatchObject({ status: 200, body: { auth: { type: 'mtls' } } });
  expect(names).toEqual([true]);
  expect(await everywhere('mutual')).not.toContain(watcherIdentity.privateKey.split('\n')[1]);
  expect(await directory().find('acme', 'mutual')).toMatchObject({ auth });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('an interface at another origin than the card', () => {
  const auth = { type: 'bearer', token: 'sesame' };

  it('is found, where there is a credential that it is not shown', async () => {
    const answer = await put('elsewhere', { cardUrl: cards.url, auth });
    expect(answer.body).toMatchObject({
      findings: [{ code: 'interface_other_origin', severity: 'warning', paragraph: '§13.1' }],
    });
    expect(JSON.stringify(answer.body)).toContain('http://127.0.0.1:9');
    expect((await put('open', { cardUrl: cards.url })).body).toMatchObject({ findings: [] });
  });

  it('is none where the credential is for it too', async () => {
    const answer = await put('listed', { cardUrl: cards.url, auth: { ...auth, origins: ['http://127.0.0.1:9/'] } });
    expect(answer.body).toMatchObject({ findings: [], auth: { type: 'bearer' } });
    expect(await directory().find('acme', 'listed')).toMatchObject({ auth: { origins: ['http://127.0.0.1:9'] } });
  });
});

describe('a credential that is none', () => {
  const { certificate, privateKey } = watcherIdentity;
  const cardUrl = 'https://agent.example';
  const oauth = { type: 'oauth2', tokenUrl: 'https://id.example/token', clientId: 'a', clientSecret: 'sesame' };

  it.each<[string, object]>([
    ['auth.type', { type: 'basic', token: 'sesame' }],
    ['auth.token', { type: 'header', name: 'X-Key', value: 'a', token: 'sesame' }],
    ['auth.tokenUrl', { ...oauth, tokenUrl: 'file:///etc/passwd' }],
    ['auth.tokenUrl', { ...oauth, tokenUrl: 'https://user:sesame@id.example/token' }],
    ['auth.clientId', { ...oauth, clientId: '' }],
    ['auth.clientSecret', { ...oauth, clientSecret: 7 }],
    ['auth.scope', { ...oauth, scope: ['a'] }],
    ['auth.certificate', { type: 'mtls', certificate: 'sesame', privateKey }],
    ['auth.privateKey', { type: 'mtls', certificate, privateKey: 'sesame' }],
    ['auth.privateKey', { type: 'mtls', certificate, privateKey: strayKey }],
    ['auth.authorities', { type: 'mtls', certificate, privateKey, authorities: 'sesame' }],
    ['auth.origins', { type: 'bearer', token: 'a', origins: 'sesame' }],
    ['auth.origins[0]', { type: 'bearer', token: 'a', origins: ['https://agent.example/a2a'] }],
    ['auth.origins[1]', { type: 'bearer', token: 'a', origins: ['https://a.example', '*'] }],
  ])('is refused naming %s, and is not repeated', async (field, auth) => {
    const answer = await put('refused', { cardUrl, auth });
    expect(answer).toMatchObject({ status: 422, body: { type: '/problems/invalid-field', field } });
    expect(JSON.stringify(answer.body)).not.toContain('sesame');
  });

  it('is a certificate where the card is asked for over http', async () => {
    const auth = { type: 'mtls', certificate, privateKey };
    const answer = await put('refused', { cardUrl: 'http://agent.example', auth });
    expect(answer).toMatchObject({ status: 422, body: { field: 'auth.type' } });
  });
});
