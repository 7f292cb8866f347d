// What callers are told while what is kept cannot be written: that it passes, and that the process is not ready.
import { createDatabase, type TestDatabase, until } from '#testing';
import { CredentialSeal, systemClock } from '#runtime';
import { openHostStores } from '../../apps/agent-host/src/agent-host.module.ts';
import { obedientAgent } from './obedient-agent.ts';
import { pathOf, ServedAgent, type Way } from './served-agent.ts';

const places = { tasks: 'postgres', sessions: 'memory', work: 'memory' } as const;
let database: TestDatabase;
let agent: ServedAgent;
beforeAll(async () => {
  database = await createDatabase();
  agent = await ServedAgent.start(obedientAgent(), { places, databaseUrl: database.url });
});
afterAll(async () => {
  await agent.close();
  await database.drop();
});

/** As after a failover to a standby. */
async function takeNoWrites(): Promise<void> {
  await agent.query(
    `ALTER DATABASE "${new URL(database.url).pathname.slice(1)}" SET default_transaction_read_only = on`,
    [],
  );
  await agent.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    [],
  );
}

async function send([binding, version]: Way) {
  const is03 = version === '0.3';
  const message = { messageId: 'm', role: is03 && binding === 'JSONRPC' ? 'user' : 'ROLE_USER' };
  const part = { text: 'later which?', ...(is03 && { kind: 'text' }) };
  const params = { message: { ...message, parts: [part], ...(is03 && { content: [part] }) } };
  const rpc = { jsonrpc: '2.0', id: 1, method: is03 ? 'message/send' : 'SendMessage', params };
  const path = binding === 'JSONRPC' ? '' : `${is03 ? '/v1' : ''}/message:send`;
  const response = await fetch(agent.url + pathOf([binding, version]) + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': version },
    body: JSON.stringify(binding === 'JSONRPC' ? rpc : params),
  });
  return { status: response.status, json: await response.json(), retryAfter: response.headers.get('retry-after') };
}

it('a database that takes no writes is a fault that passes, and the process is not ready', async () => {
  const seal = new CredentialSeal(Buffer.alloc(32, 7));
  const stores = await openHostStores({
    places,
    databaseUrl: database.url,
    seal,
    clock: systemClock,
    report: () => undefined,
  });
  await stores.check();
  await takeNoWrites();
  await until(async () => (await send(['HTTP+JSON', '1.0'])).status === 503, 'the fault');
  const why = 'what the agent keeps cannot be reached now: try again';
  expect(await send(['HTTP+JSON', '1.0'])).toMatchObject({
    ...{ status: 503, retryAfter: '5', json: { error: { code: 503, status: 'UNAVAILABLE', message: why } } },
  });
  expect(await send(['HTTP+JSON', '0.3'])).toMatchObject({
    ...{ status: 503, retryAfter: '5', json: { code: -32603, message: why } },
  });
  for (const version of ['1.0', '0.3'] as const) {
    expect(await send(['JSONRPC', version])).toMatchObject({
      ...{ status: 200, json: { id: 1, error: { code: -32603, message: why } } },
    });
  }
  await expect(stores.check()).rejects.toThrow('takes no writes');
  await stores.close();
});
