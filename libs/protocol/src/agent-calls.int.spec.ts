// Agents that want a credential: who sees it, who does not, and what becomes of a send without one.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server as NetServer } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { AddressPolicy, Outbound } from '#outbound';
import {
  agentIdentity,
  FakeAgent,
  loopbackOutbound,
  startTokenServer,
  testAuthority,
  type TokenServer,
  watcherIdentity,
} from '#testing';
import { AgentCalls } from './agent-calls.ts';
import type { AgentAuth, OauthClient } from './agent-auth.ts';
import { fetchCard } from './fetch-card.ts';
import { SdkMessenger } from './sdk-messenger.ts';

const outbound = loopbackOutbound();
const never = new AbortController().signal;
let nowMs = 0;
let calls: AgentCalls;
let server: Server;
let origin: string;
let seen: IncomingMessage[];
let statuses: number[];
let tokens: TokenServer;

async function listening(made: NetServer): Promise<number> {
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return (made.address() as AddressInfo).port;
}

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request);
    response.writeHead(statuses.shift() ?? 200).end('{}');
  });
  origin = `http://127.0.0.1:${await listening(server)}`;
  tokens = await startTokenServer();
});
afterAll(async () => {
  server.closeAllConnections();
  await Promise.all([tokens.close(), new Promise((resolve) => server.close(resolve))]);
});
beforeEach(() => {
  [seen, statuses, nowMs] = [[], [], 0];
  calls = new AgentCalls({ outbound, now: () => nowMs });
  tokens.fault = undefined;
  tokens.lifetime = 3_600;
});

const shown = () => seen.map(({ headers }) => headers.authorization);
const asked = (since: number) => tokens.requests.length - since;

function oauth(more: Partial<OauthClient> = {}): OauthClient {
  // A client of its own for each test: what is kept of another's is no concern of it.
  const clientId = `client ${tokens.requests.length}`;
  return { type: 'oauth2', tokenUrl: tokens.url, clientId, clientSecret: 'open:sesame', ...more };
}

interface Failure {
  readonly name: string;
  readonly message: string;
  readonly retryable?: boolean;
}

async function failure(work: Promise<unknown>): Promise<Failure> {
  return work.then(
    () => ({ name: 'none', message: 'it did not fail' }),
    (error: unknown) => error as Failure,
  );
}

describe('a credential', () => {
  const auth: AgentAuth = { type: 'bearer', token: 't0ken' };

  it("is shown at the card's origin, and at those listed with it", async () => {
    await calls.fetch({ cardUrl: `${origin}/card.json`, auth }, `${origin}/a2a`);
    await calls.fetch({ cardUrl: 'https://agent.example', auth: { ...auth, origins: [origin] } }, `${origin}/a2a`);
    expect(shown()).toEqual(['Bearer t0ken', 'Bearer t0ken']);
  });

  it('is shown nowhere else: not on another port, nor where nobody knows whose it is', async () => {
    await calls.fetch({ cardUrl: 'http://127.0.0.1:1', auth }, origin);
    await calls.fetch({ cardUrl: origin.replace('http:', 'https:'), auth }, origin);
    await calls.fetch({ auth }, origin);
    expect(shown()).toEqual([undefined, undefined, undefined]);
  });

  it('is not shown to an interface elsewhere, and the refusal says so (§13.1)', async () => {
    const agent = await FakeAgent.start();
    agent.sendFaults.push({ status: 401, body: 'who?' });
    const messenger = new SdkMessenger({ outbound, now: () => 0 });
    const target = { card: agent.card, cardUrl: 'https://agent.example', auth };
    const message = { messageId: 'm', contextId: 'c', referenceTaskIds: [], parts: [], metadata: {} };
    const sent = await messenger.send(target, { message } as never, never);
    expect(sent).toMatchObject({ outcome: 'refused', permanent: true });
    expect(sent).toHaveProperty('cause', expect.stringMatching(/without its credential.*127.*auth\.origins/));
    expect(agent.sends.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    await agent.stop();
  });
});

describe('a client of OAuth', () => {
  it('asks for one token for all calls at once, with its secret in the form that RFC 6749 wants', async () => {
    const before = tokens.requests.length;
    const auth = oauth({ scope: 'lapses:write', audience: 'agents' });
    const agent = { cardUrl: origin, auth };
    await Promise.all([calls.fetch(agent, origin), calls.fetch(agent, origin), calls.fetch(agent, origin)]);
    await calls.fetch(agent, origin);
    expect(asked(before)).toBe(1);
    const { authorization, form } = tokens.requests.at(-1) ?? {};
    const basic = Buffer.from(authorization?.replace('Basic ', '') ?? '', 'base64').toString();
    expect(basic).toBe(`${auth.clientId.replace(' ', '+')}:open%3Asesame`);
    expect(form).toBe('grant_type=client_credentials&scope=lapses%3Awrite&audience=agents');
    expect(new Set(shown())).toEqual(new Set([`Bearer token-${tokens.requests.length}`]));
  });

  it('asks for another shortly before the token ends', async () => {
    const before = tokens.requests.length;
    const agent = { cardUrl: origin, auth: oauth() };
    await calls.fetch(agent, origin);
    nowMs = 3_539_000;
    await calls.fetch(agent, origin);
    expect(asked(before)).toBe(1);
    nowMs = 3_541_000;
    await calls.fetch(agent, origin);
    expect(asked(before)).toBe(2);
  });

  it('asks once for another where the token is not taken, and sends the same again', async () => {
    const before = tokens.requests.length;
    statuses = [401, 200];
    const response = await calls.fetch({ cardUrl: origin, auth: oauth() }, origin, { method: 'POST', body: 'lapse' });
    expect([response.status, asked(before), seen.length]).toEqual([200, 2, 2]);
    statuses = [401, 401, 200];
    const refused = await calls.fetch({ cardUrl: origin, auth: oauth() }, origin, { method: 'POST', body: 'lapse' });
    expect([refused.status, seen.length]).toEqual([401, 4]);
  });

  it('asks for no token to call where it is not for', async () => {
    const before = tokens.requests.length;
    await calls.fetch({ cardUrl: 'https://agent.example', auth: oauth() }, origin);
    expect([asked(before), shown()]).toEqual([0, [undefined]]);
  });

  it.each([
    ['is not known', { status: 401, body: '{"error":"invalid_client"}' }, false, /401: invalid_client/],
    ['may not', { status: 400, body: '{"error":"unauthorized_client"}' }, false, /400: unauthorized_client/],
    ['is led elsewhere', { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } }, false, /302/],
    ['is one too many', { status: 429, body: '' }, true, /429/],
    ['comes at a bad time', { status: 503, body: '<html>' }, true, /503/],
    ['gets what is no token', { status: 200, body: '{"access_token":"a b","token_type":"bearer"}' }, true, /200/],
    ['gets a token of another type', { status: 200, body: '{"access_token":"a","token_type":"mac"}' }, true, /200/],
    ['gets an endless answer', { status: 200, body: 'x'.repeat(70_000) }, true, /no answer that could be read/],
    ['hears its secret', { status: 400, body: '{"error":"open:sesame"}' }, false, /\(400\)/],
  ])('that %s sends nothing, and never says its secret', async (_, fault, retryable, message) => {
    tokens.fault = fault;
    const error = await failure(calls.fetch({ cardUrl: origin, auth: oauth() }, origin));
    expect(error).toMatchObject({ name: 'AccessTokenError', retryable });
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain('sesame');
    expect(seen).toEqual([]);
  });

  it('whose endpoint is at an address that is not called is refused for good', async () => {
    const guarded = new Outbound({ policy: new AddressPolicy([]) });
    const guardedCalls = new AgentCalls({ outbound: guarded, now: () => 0 });
    const error = await failure(guardedCalls.fetch({ cardUrl: origin, auth: oauth() }, origin));
    expect(error.retryable).toBe(false);
    expect(error.message).toMatch(/no public address.*DUEWATCH_OUTBOUND_ALLOW/);
    await guarded.close();
  });

  it.each([
    [503, { outcome: 'unreachable' }],
    [401, { outcome: 'refused', permanent: true }],
  ])('without a token (%s) sends no lapse', async (status, expected) => {
    tokens.fault = { status, body: '' };
    const agent = await FakeAgent.start();
    const messenger = new SdkMessenger({ outbound, now: () => 0 });
    const message = { messageId: 'm', contextId: 'c', referenceTaskIds: [], parts: [], metadata: {} };
    const target = { card: agent.card, cardUrl: agent.url, auth: oauth() };
    await expect(messenger.send(target, { message } as never, never)).resolves.toMatchObject(expected);
    expect(agent.seen).toEqual([]);
    await agent.stop();
  });

  it('gets the card with a token, and says why where there is none', async () => {
    await fetchCard(`${origin}/card.json`, { outbound, auth: oauth() });
    expect(shown()).toEqual([`Bearer token-${tokens.requests.length}`]);
    tokens.fault = { status: 401, body: '' };
    const failed = fetchCard(`${origin}/card.json`, { outbound, auth: oauth() });
    await expect(failed).rejects.toMatchObject({ code: 'token_refused', retryable: false });
  });
});

describe('a certificate', () => {
  it("is shown to the agent that it is for, whom the agent's own authority vouches for; to another, none", async () => {
    const names: unknown[] = [];
    const identity = { cert: agentIdentity.certificate, key: agentIdentity.privateKey, ca: testAuthority };
    const options = { ...identity, requestCert: true, rejectUnauthorized: false };
    const secure = createTlsServer(options, (request, response) => {
      names.push((request.socket as TLSSocket).getPeerCertificate().subject.CN);
      response.end('{}');
    });
    const url = `https://127.0.0.1:${await listening(secure)}`;
    const auth: AgentAuth = { type: 'mtls', ...watcherIdentity, authorities: testAuthority };
    await calls.fetch({ cardUrl: url, auth }, url);
    expect(names).toEqual(['watcher']);
    // Nobody vouches for the agent where the credential, and with it the authority, is another's.
    await expect(calls.fetch({ cardUrl: 'https://agent.example', auth }, url)).rejects.toThrow('fetch failed');
    expect(names).toEqual(['watcher']);
    await outbound.close();
    secure.closeAllConnections();
    await new Promise((resolve) => secure.close(resolve));
  });
});
