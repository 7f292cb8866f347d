// `duewatch serve` on a Redis as a person runs it: over TLS with a password, while it is away, and where it is not fit.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Task } from '@a2a-js/sdk';
import { agentIdentity, RedisServer, testAuthority, until, WebhookReceiver } from '#testing';
import { AgentProcess } from './agent-process.ts';
import { clientOf, isMessage, request, ServedAgent } from './served-agent.ts';
import { obedientAgent } from './obedient-agent.ts';

const folder = new URL('./counting-agent', import.meta.url).pathname;
const main = new URL('../../dist/apps/cli/src/main.js', import.meta.url).pathname;
const onRedis = ['--tasks', 'redis', '--sessions', 'redis', '--work', 'redis'];

describe('an agent whose Redis is killed', () => {
  it('answers that it is to be asked again, lives on, and has all of it once Redis is back', async () => {
    const server = await RedisServer.start();
    const places = { tasks: 'redis', sessions: 'redis', work: 'redis' } as const;
    const agent = await ServedAgent.start(obedientAgent(), { places, redis: server.address });
    try {
      const client = await agent.client(['HTTP+JSON', '1.0']);
      const task = await client.sendMessage(request('later which?'));
      if (isMessage(task)) throw new Error('it is a Message');
      const look = () => fetch(`${agent.url}/agent/rest-1-0/tasks/${task.id}`, { headers: { 'a2a-version': '1.0' } });
      expect((await look()).status).toBe(200);
      await server.kill();
      const away = await look();
      expect([away.status, await away.json()]).toMatchObject([
        503,
        { error: { message: 'what the agent keeps cannot be reached now: try again' } },
      ]);
      await server.run();
      await until(async () => (await look()).status === 200, 'the task');
      const ended = await client.sendMessage(request('say done', { taskId: task.id }));
      expect(ended).toMatchObject({ id: task.id, status: { state: 3 } });
    } finally {
      await agent.close();
      await server.close();
    }
  });
});

describe('an agent that keeps push configs in Redis', () => {
  it('tells one that comes with a reply of all that comes of it', async () => {
    const server = await RedisServer.start();
    const receiver = await new WebhookReceiver().start();
    const places = { tasks: 'redis', sessions: 'memory', work: 'memory' } as const;
    const card = { capabilities: { streaming: true, pushNotifications: true } };
    const agent = await ServedAgent.start(obedientAgent(), { card, places, redis: server.address });
    const told = () => receiver.received.map(({ text }) => JSON.parse(text).statusUpdate?.status.state);
    try {
      const client = await agent.client(['JSONRPC', '1.0']);
      const { id: taskId } = (await client.sendMessage(request('later which?'))) as Task;
      const config = { url: receiver.url, token: 'token-1', authentication: undefined };
      const configuration = { taskPushNotificationConfig: config };
      await client.sendMessage(request('reject this', { taskId, configuration }));
      await until(() => told().length === 3, 'the end');
      expect(told()).toEqual(['TASK_STATE_WORKING', 'TASK_STATE_WORKING', 'TASK_STATE_REJECTED']);
    } finally {
      await agent.close();
      await receiver.close();
      await server.close();
    }
  });
});

describe('an agent whose Redis asks for TLS and a password', () => {
  let directory: string;
  let server: RedisServer;
  const secret = 'p@ss/word';
  const environmentOf = (password: string) => ({
    DUEWATCH_REDIS_URL: `rediss://agents:${encodeURIComponent(password)}@localhost:${server.port}/2`,
    NODE_EXTRA_CA_CERTS: join(directory, 'ca'),
  });
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'duewatch-redis-tls-'));
    const { certificate, privateKey } = agentIdentity;
    for (const [name, text] of Object.entries({ ca: testAuthority, certificate, privateKey })) {
      await writeFile(join(directory, name), text);
    }
    const at = (name: string): string => join(directory, name);
    const tls = [
      '--tls-ca-cert-file',
      at('ca'),
      '--tls-cert-file',
      at('certificate'),
      '--tls-key-file',
      at('privateKey'),
    ];
    const users = [
      ...['--user', 'default', 'off', '~*', '&*', '+@all'],
      '--user',
      'agents',
      'on',
      `>${secret}`,
      '~*',
      '&*',
      '+@all',
    ];
    server = await RedisServer.start([...tls, '--tls-auth-clients', 'no', ...users], true);
  });
  afterAll(async () => {
    await server.close();
    await rm(directory, { recursive: true });
  });

  it('is served, is not ready while Redis is away, and says its password to nobody', async () => {
    const agent = await AgentProcess.start(folder, onRedis, environmentOf(secret));
    try {
      const client = await clientOf(agent.url, ['JSONRPC', '1.0']);
      const sent = await client.sendMessage(request('ask', { configuration: { returnImmediately: true } }));
      if (isMessage(sent)) throw new Error('it is a Message');
      const ready = async () => (await fetch(`${agent.url}/health/ready`)).status;
      expect(await ready()).toBe(200);
      await server.kill();
      await until(async () => (await ready()) === 503, 'the fault');
      await expect(client.getTask({ tenant: '', id: sent.id })).rejects.toThrow('try again');
      await server.run();
      await until(async () => (await ready()) === 200, 'Redis');
      expect((await client.getTask({ tenant: '', id: sent.id })).id).toBe(sent.id);
      expect(agent.said).not.toContain(secret);
      expect(agent.said).toMatch(/Redis/);
    } finally {
      expect(await agent.stop()).toBe(0);
    }
  });

  it('is not served with another password, nor told it', async () => {
    const { exitCode, said } = await serve(environmentOf('hunter2'));
    expect(exitCode).toBe(3);
    expect(said).toContain(`Redis at localhost:${server.port} cannot be reached`);
    expect(said).toContain('WRONGPASS');
    expect(said).not.toContain('hunter2');
  });
});

it('an agent is not served without a Redis, nor with one that lets go of what it has', async () => {
  const without = await serve({});
  expect([without.exitCode, without.said]).toEqual([2, expect.stringContaining('needs DUEWATCH_REDIS_URL')]);
  const server = await RedisServer.start(['--maxmemory-policy', 'allkeys-lru']);
  const unfit = await serve({ DUEWATCH_REDIS_URL: server.url });
  await server.close();
  expect([unfit.exitCode, unfit.said]).toEqual([2, expect.stringContaining('set noeviction')]);
});

async function serve(
  environment: Readonly<Record<string, string>>,
): Promise<{ exitCode: number | null; said: string }> {
  const child = spawn(process.execPath, [main, 'serve', folder, '--port', '0', ...onRedis], {
    ...{ stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...environment } },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  await once(child, 'close');
  return { exitCode: child.exitCode, said };
}
