// Whom a request is taken for: by which of the card's alternatives, and where an issuer's keys cannot be had.
import { createHash, X509Certificate } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import express from 'express';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import type { SchemeVerification } from '#agent-handler';
import { AddressRanges } from '#outbound';
import { PinoLogger, systemClock } from '#runtime';
import { watcherIdentity } from '#testing';
import { type AuthenticatedRequest, authentication, type AuthenticationOptions } from './authentication.ts';

const keyOf = { sha256ByUser: { bob: createHash('sha256').update('bobs-key').digest('hex') } };
const token = { jwksUrl: 'https://issuer.example/jwks', issuer: 'https://issuer.example', audience: 'agent' };
const places: AuthenticationOptions['security']['places'] = new Map([
  ['token', { kind: 'bearer' }],
  ['key', { kind: 'header', name: 'x-api-key' }],
  ['certificate', { kind: 'certificate' }],
]);
const watcher = new X509Certificate(watcherIdentity.certificate).raw;
const certificate = {
  ...{ certificateHeader: 'Client-Cert', certificateForm: 'rfc9440' as const },
  fingerprintByUser: { bob: createHash('sha256').update(watcher).digest('hex') },
};
const log = new PinoLogger('fatal');
const warn = jest.spyOn(log, 'warn');
const world = { clock: systemClock, log, proxies: new AddressRanges(['127.0.0.1']) };

interface Asked {
  /** A scheme, or with its scopes behind it: `token read write`. */
  readonly alternatives: readonly (readonly string[])[];
  readonly verifications?: Readonly<Record<string, SchemeVerification>>;
  readonly fetch?: typeof fetch;
  readonly headers?: Readonly<Record<string, string>>;
}

const told: Readonly<Record<number, string>> = { 401: 'www-authenticate', 403: 'www-authenticate', 503: 'retry-after' };

/** Status, and the user that the request was taken for. */
async function answerTo(asked: Asked): Promise<unknown[] | undefined> {
  return (await answersTo(asked, 1))[0];
}

async function answersTo({ headers = {}, fetch: fetchKeys = fetch, ...asked }: Asked, count: number) {
  const alternatives = asked.alternatives.map((schemes) =>
    schemes.map((each) => ({ scheme: each.split(' ')[0] ?? '', scopes: each.split(' ').slice(1) })),
  );
  const options = {
    security: { alternatives, places },
    verifications: { token, key: keyOf, certificate, ...asked.verifications },
    fetch: fetchKeys,
    ...world,
  };
  const app = express().use(authentication(options), (request: AuthenticatedRequest, response) => {
    response.json(request.hostUser);
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const answers: unknown[][] = [];
    while (answers.length < count) {
      const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { headers });
      const body: unknown = await response.json();
      answers.push([
        response.status,
        typeof body === 'string' ? body : response.headers.get(told[response.status] ?? 'x'),
      ]);
    }
    return answers;
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function signed(
  sub: string,
  more: JWTPayload = {},
): Promise<{ readonly bearer: string; readonly fetch: typeof fetch }> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const keys = { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256' }] };
  const claims = new SignJWT(more).setProtectedHeader({ alg: 'ES256' }).setSubject(sub).setExpirationTime('1h');
  const jwt = await claims.setIssuer(token.issuer).setAudience(token.audience).sign(privateKey);
  return { bearer: `Bearer ${jwt}`, fetch: async () => Response.json(keys) };
}

it('who shows a credential is taken for its user, though the card lets in who shows none', async () => {
  const alternatives = [[], ['key']];
  expect(await answerTo({ alternatives, headers: { 'x-api-key': 'bobs-key' } })).toEqual([200, 'bob']);
  expect(await answerTo({ alternatives })).toEqual([200, '']);
});

it('a name that would be kept as another’s is nobody’s', async () => {
  const alternatives = [['token']];
  const { bearer, fetch: keys } = await signed('alice');
  expect(await answerTo({ alternatives, fetch: keys, headers: { authorization: bearer } })).toEqual([200, 'alice']);
  const half = await signed('\ud800');
  expect(await answerTo({ alternatives, fetch: half.fetch, headers: { authorization: half.bearer } })).toEqual([
    401,
    'Bearer',
  ]);
});

it.each<[string, typeof fetch]>([
  ['answers 500', async () => new Response('', { status: 500 })],
  ['answers no keys', async () => Response.json({ nothing: true })],
  ['is not there', () => Promise.reject(new TypeError('fetch failed'))],
])('where the issuer %s, it is told to try again, and the log says why', async (_, fetchKeys) => {
  warn.mockClear();
  const { bearer } = await signed('alice');
  const asked = { fetch: fetchKeys, headers: { authorization: bearer } };
  for (const alternatives of [[['token']], [['token'], []]]) {
    expect(await answerTo({ ...asked, alternatives })).toEqual([503, '5']);
  }
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('https://issuer.example/jwks'), 'AgentHost');
  const headers = { ...asked.headers, 'x-api-key': 'bobs-key' };
  expect(await answerTo({ ...asked, headers, alternatives: [['token'], ['key']] })).toEqual([200, 'key|bob']);
});

it('an issuer that is away is not asked with each token, nor is it told with each', async () => {
  warn.mockClear();
  let asksCount = 0;
  const away: typeof fetch = async () => ((asksCount += 1), new Response('', { status: 500 }));
  const headers = { authorization: (await signed('alice')).bearer };
  const answers = await answersTo({ alternatives: [['token']], fetch: away, headers }, 10);
  expect(answers).toEqual(Array.from({ length: 10 }, () => [503, '5']));
  expect(asksCount).toBeLessThan(10);
  expect(warn.mock.calls.length).toBe(asksCount);
});

it('a token of an algorithm that no public key can have is not believed', async () => {
  const { fetch: keys } = await signed('alice');
  const claims = new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).setSubject('alice').setExpirationTime('1h');
  const jwt = await claims.setIssuer(token.issuer).setAudience(token.audience).sign(Buffer.alloc(32, 1));
  const headers = { authorization: `Bearer ${jwt}` };
  expect(await answerTo({ alternatives: [['token']], fetch: keys, headers })).toEqual([401, 'Bearer']);
});

it('a name that two schemes say is two users, unless the handler says that they are about the same people', async () => {
  const alternatives = [['token'], ['key']];
  const { bearer, fetch: keys } = await signed('bob');
  const byToken = { alternatives, fetch: keys, headers: { authorization: bearer } };
  const byKey = { alternatives, headers: { 'x-api-key': 'bobs-key' } };
  expect(await answerTo(byToken)).toEqual([200, 'https://issuer.example|bob']);
  expect(await answerTo(byKey)).toEqual([200, 'key|bob']);
  const verifications = { key: { ...keyOf, users: token.issuer } };
  for (const asked of [byToken, byKey]) expect(await answerTo({ ...asked, verifications })).toEqual([200, 'bob']);
  // Who kept names as they are keeps them; none of them can be made to look like another's.
  const kept = { key: { ...keyOf, users: '' }, token: { ...token, users: '' } };
  for (const asked of [byToken, byKey]) expect(await answerTo({ ...asked, verifications: kept })).toEqual([200, 'bob']);
  const forged = await signed('key|bob');
  const asForged = { alternatives, fetch: forged.fetch, headers: { authorization: forged.bearer } };
  const verificationsOfForged = { token: { ...token, users: '' } };
  expect(await answerTo({ ...asForged, verifications: verificationsOfForged })).toEqual([200, '|key|bob']);
});

it('where two schemes are required at once, both must name the one user', async () => {
  const alternatives = [['key', 'certificate']];
  const shown = { 'client-cert': `:${watcher.toString('base64')}:` };
  const same = { key: { ...keyOf, users: 'us' }, certificate: { ...certificate, users: 'us' } };
  const headers = { ...shown, 'x-api-key': 'bobs-key' };
  expect(await answerTo({ alternatives, headers, verifications: same })).toEqual([200, 'bob']);
  expect(await answerTo({ alternatives, headers: shown, verifications: same })).toEqual([401, 'Bearer']);
  const { bob } = certificate.fingerprintByUser;
  const other = { ...same, certificate: { ...same.certificate, fingerprintByUser: { alice: bob } } };
  expect(await answerTo({ alternatives, headers, verifications: other })).toEqual([401, 'Bearer']);
});

it('who is believed and may not is told which scopes are missing', async () => {
  const alternatives = [['token read write']];
  for (const [claims, answer] of [
    [{ scope: 'read write more' }, [200, 'alice']],
    [{ scp: ['read', 'write'] }, [200, 'alice']],
    [{ scp: 'write', scope: 'read' }, [200, 'alice']],
    [{ scope: 'read' }, [403, 'Bearer error="insufficient_scope", scope="write"']],
    [{ scope: 'readwrite', scp: [1, null] }, [403, 'Bearer error="insufficient_scope", scope="read write"']],
    [{ scope: { read: true } }, [403, 'Bearer error="insufficient_scope", scope="read write"']],
  ] as const) {
    const { bearer, fetch: keys } = await signed('alice', claims);
    const asked = { alternatives, fetch: keys, headers: { authorization: bearer } };
    expect(await answerTo(asked)).toEqual(answer);
  }
  expect(await answerTo({ alternatives })).toEqual([401, 'Bearer']);
});

it('scopes of keys and certificates are those that the handler says; another alternative may do without', async () => {
  const headers = { 'x-api-key': 'bobs-key' };
  const asked = { alternatives: [['key read']], headers };
  const mayRead = { key: { ...keyOf, scopesByUser: { bob: ['read'] } } };
  expect(await answerTo({ ...asked, verifications: mayRead })).toEqual([200, 'bob']);
  expect((await answerTo(asked))?.[0]).toBe(403);
  expect(await answerTo({ alternatives: [['key read'], ['key']], headers })).toEqual([200, 'bob']);
});
