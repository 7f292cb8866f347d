// Who is let in by what the card requires, and that another user's task is not there on any operation.
import { createHash, X509Certificate } from 'node:crypto';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TaskState } from '@a2a-js/sdk';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { testAuthority, watcherIdentity } from '#testing';
import { isMessage, request, ServedAgent, type Way, pathOf, clientOf } from './served-agent.ts';
import { obedientAgent } from './obedient-agent.ts';

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');
const issuer = 'https://issuer.example';
const audience = 'agent';
const way: Way = ['HTTP+JSON', '1.0'];

let keys: Server;
let agent: ServedAgent;
let sign: (claims: { sub?: string; iss?: string; aud?: string; expiresIn?: string }) => Promise<string>;

beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'ES256' };
  keys = createServer((_, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] })),
  );
  await new Promise<void>((resolve) => keys.listen(0, '127.0.0.1', resolve));
  sign = ({ sub = 'alice', iss = issuer, aud = audience, expiresIn = '1h' }) =>
    new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: 'key-1' })
      .setSubject(sub)
      .setIssuer(iss)
      .setAudience(aud)
      .setExpirationTime(expiresIn)
      .sign(privateKey);
  const jwksUrl = `http://127.0.0.1:${(keys.address() as AddressInfo).port}/jwks`;
  const handler = {
    ...obedientAgent(),
    security: {
      token: { jwksUrl, issuer, audience },
      key: { sha256ByUser: { bob: hashOf('bobs-key') } },
      client: {
        ...{ certificateHeader: 'Client-Cert', certificateForm: 'rfc9440' as const, authorities: [testAuthority] },
        scopesByUser: { 'CN=watcher': ['ask'] },
      },
    },
  };
  const card = {
    securitySchemes: {
      token: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } },
      key: { apiKeySecurityScheme: { location: 'header', name: 'X-Api-Key' } },
      client: { mtlsSecurityScheme: {} },
    },
    securityRequirements: [{ token: [] }, { key: [] }, { client: ['ask'] }].map((asked) => ({
      schemes: Object.fromEntries(Object.entries(asked).map(([name, list]) => [name, { list }])),
    })),
  };
  agent = await ServedAgent.start(handler, { card, proxies: ['127.0.0.1'] });
});
afterAll(async () => {
  await agent.close();
  keys.closeAllConnections();
  await new Promise((resolve) => keys.close(resolve));
});

async function statusOf(headers: Record<string, string>, path = `${pathOf(way)}/tasks`): Promise<number> {
  return (await fetch(agent.url + path, { headers: { 'a2a-version': '1.0', ...headers } })).status;
}

it('the card is public; all else is for who meets one of its requirements', async () => {
  expect(await statusOf({}, '/.well-known/agent-card.json')).toBe(200);
  expect(await statusOf({ authorization: `Bearer ${await sign({})}` })).toBe(200);
  expect(await statusOf({ 'x-api-key': 'bobs-key' })).toBe(200);
  const { raw } = new X509Certificate(watcherIdentity.certificate);
  expect(await statusOf({ 'client-cert': `:${raw.toString('base64')}:` })).toBe(200);
});

it.each<[string, () => Promise<Record<string, string>>]>([
  ['nothing', async () => ({})],
  ['a key that nobody has', async () => ({ 'x-api-key': 'guess' })],
  [
    'a token of another issuer',
    async () => ({ authorization: `Bearer ${await sign({ iss: 'https://else.example' })}` }),
  ],
  ['a token for another audience', async () => ({ authorization: `Bearer ${await sign({ aud: 'else' })}` })],
  ['a token that is over', async () => ({ authorization: `Bearer ${await sign({ expiresIn: '-1h' })}` })],
  ['a token that nobody signed', async () => ({ authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.' })],
  ['what is no certificate', async () => ({ 'client-cert': `:${Buffer.alloc(9_000, 1).toString('base64')}:` })],
  ['a key where the token is', async () => ({ authorization: 'Bearer bobs-key' })],
])('%s is 401, on every route', async (_, headersOf) => {
  const headers = await headersOf();
  expect(await statusOf(headers)).toBe(401);
  const post = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json', ...headers } };
  for (const path of [`${pathOf(way)}/message:send`, pathOf(['JSONRPC', '1.0']), pathOf(['JSONRPC', '0.3'])]) {
    const response = await fetch(agent.url + path, post);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  }
});

it('a certificate that comes twice in one request, or too large for any header, is nobody’s', async () => {
  const shown = `:${new X509Certificate(watcherIdentity.certificate).raw.toString('base64')}:`;
  const statusBy = (certificates: string[]) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'a2a-version': '1.0', 'client-cert': certificates };
      httpRequest(`${agent.url}${pathOf(way)}/tasks`, { headers, agent: false }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      })
        .once('error', reject)
        .end();
    });
  expect(await statusBy([shown])).toBe(200);
  expect(await statusBy([shown, shown])).toBe(401);
  expect(await statusBy([`:${'A'.repeat(20_000)}:`])).toBe(431);
});

it('another user’s task is not there, on any operation', async () => {
  const alice = await clientOf(agent.url, way, { authorization: `Bearer ${await sign({})}` });
  const bob = await clientOf(agent.url, way, { 'x-api-key': 'bobs-key' });
  const task = await alice.sendMessage(request('later which?'));
  if (isMessage(task)) throw new Error('it is a Message');
  const { id } = task;
  const strange = [
    bob.getTask({ tenant: '', id }),
    bob.cancelTask({ tenant: '', id, metadata: {} }),
    bob.resubscribeTask({ tenant: '', id }).next(),
    bob.sendMessage(request('this', { taskId: id })),
  ];
  for (const operation of strange) await expect(operation).rejects.toMatchObject({ name: 'TaskNotFoundError' });
  const { tasks } = await bob.listTasks({
    tenant: '',
    contextId: '',
    status: TaskState.TASK_STATE_UNSPECIFIED,
    pageToken: '',
    statusTimestampAfter: undefined,
  });
  expect(tasks).toEqual([]);
  expect(await statusOf({ 'x-api-key': 'bobs-key' }, `${pathOf(way)}/tasks/${id}`)).toBe(404);
  expect((await alice.getTask({ tenant: '', id })).id).toBe(id);
});

it('a tenant that the card does not name is no tenant', async () => {
  expect(await statusOf({ 'x-api-key': 'bobs-key' }, `${pathOf(way)}/other/tasks`)).toBe(400);
});
