// Whom a request is taken for: by which of the card's alternatives, and where an issuer's keys cannot be had.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import express from 'express';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { PinoLogger, systemClock } from '#runtime';
import { type AuthenticatedRequest, authentication, type AuthenticationOptions } from './authentication.ts';

const keyOf = { sha256ByUser: { bob: createHash('sha256').update('bobs-key').digest('hex') } };
const token = { jwksUrl: 'https://issuer.example/jwks', issuer: 'https://issuer.example', audience: 'agent' };
const places: AuthenticationOptions['security']['places'] = new Map([
  ['token', { kind: 'bearer' }],
  ['key', { kind: 'header', name: 'x-api-key' }],
]);
const log = new PinoLogger('fatal');
const warn = jest.spyOn(log, 'warn');
const world = { clock: systemClock, log };

interface Asked {
  readonly alternatives: readonly (readonly string[])[];
  readonly fetch?: typeof fetch;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Status, and the user that the request was taken for. */
async function answerTo(asked: Asked): Promise<unknown[] | undefined> {
  return (await answersTo(asked, 1))[0];
}

async function answersTo({ alternatives, headers = {}, fetch: fetchKeys = fetch }: Asked, count: number) {
  const options = {
    security: { alternatives, places },
    verifications: { token, key: keyOf },
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
      answers.push([response.status, typeof body === 'string' ? body : response.headers.get('retry-after')]);
    }
    return answers;
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function signed(sub: string): Promise<{ readonly bearer: string; readonly fetch: typeof fetch }> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const keys = { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256' }] };
  const claims = new SignJWT({}).setProtectedHeader({ alg: 'ES256' }).setSubject(sub).setExpirationTime('1h');
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
    null,
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
  expect(await answerTo({ ...asked, headers, alternatives: [['token'], ['key']] })).toEqual([200, 'bob']);
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
  expect(await answerTo({ alternatives: [['token']], fetch: keys, headers })).toEqual([401, null]);
});
