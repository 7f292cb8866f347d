// `duewatch serve DIR` as a person runs it: the examples, the specification's request, and cards that are refused.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentProcess } from './agent-process.ts';

const examples = new URL('../../examples/', import.meta.url).pathname;
const main = new URL('../../dist/apps/cli/src/main.js', import.meta.url).pathname;

interface Ended {
  readonly exitCode: number | null;
  readonly said: string;
}

/** Runs the command to its end; `stopAt`: told to end once it says so. */
async function runUntil(stopAt: string | undefined, ...parameters: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [main, ...parameters], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      const wasSaid = stopAt !== undefined && said.includes(stopAt);
      said += text;
      if (stopAt !== undefined && !wasSaid && said.includes(stopAt)) child.kill('SIGTERM');
    });
  await once(child, 'close');
  return { exitCode: child.exitCode, said };
}

const run = (...parameters: string[]): Promise<Ended> => runUntil(undefined, ...parameters);

it('the support agent answers the specification’s request at the exact path, and takes reminders', async () => {
  const agent = await AgentProcess.start(`${examples}support-agent`, [], {});
  const post = { method: 'POST', headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/a2a+json' } };
  const send = async (below: string, body: object): Promise<unknown> => {
    const response = await fetch(`${agent.url}/support/a2a/${below}`, { ...post, body: JSON.stringify(body) });
    return response.json();
  };
  try {
    const response = await fetch(`${agent.url}/support/a2a/message:send`, {
      ...post,
      body: '{"message":{"messageId":"demo-1","role":"ROLE_USER","parts":[{"text":"Hello"}]},"configuration":{"historyLength":0}}',
    });
    expect([response.status, await response.json()]).toMatchObject([
      200,
      {
        message: {
          role: 'ROLE_AGENT',
          parts: [{ text: 'Hello! Ask me about the product, or tell me what is wrong.' }],
        },
      },
    ]);
    expect((await fetch(`${agent.url}/health/ready`)).status).toBe(200);

    const asking = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'It is broken.' }] };
    const { task } = (await send('message:send', { message: asking })) as { readonly task: { readonly id: string } };
    const reminder = { body: 'Half of them cannot log in.', tags: ['urgent'] };
    expect(await send(`tasks/${task.id}:injectReminder`, { reminder })).toMatchObject({ dedupedCount: 0 });
    const reply = { messageId: 'm-2', taskId: task.id, role: 'ROLE_USER', parts: [{ text: 'yes' }] };
    expect(await send('message:send', { message: reply })).toMatchObject({
      task: { artifacts: [{ artifactId: 'ticket', parts: [{ data: { priority: 'high' } }] }, {}] },
    });
  } finally {
    expect(await agent.stop()).toBe(0);
  }
});

it('what are no addresses are no proxies', async () => {
  const { exitCode, said } = await run('serve', `${examples}support-agent`, '--proxies', '10.0.0.0/8, proxy.example');
  expect([exitCode, said]).toEqual([2, expect.stringContaining('--proxies: proxy.example is neither an address')]);
});

describe('a folder that cannot be served', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'agent-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('stops the start with the reason for each claim', async () => {
    const card = `name: Big\ndescription: Claims much.\nversion: 1.0.0
supportedInterfaces: [{url: 'https://a.example/a', protocolBinding: GRPC, protocolVersion: '1.0'}]
capabilities: {pushNotifications: true, extendedAgentCard: true}
defaultInputModes: [text/plain]\ndefaultOutputModes: [text/plain]\nskills: []\n`;
    await writeFile(join(folder, 'agent-card.yaml'), card);
    await writeFile(join(folder, 'handler.mjs'), 'export default { handle: async () => undefined };\n');
    const { exitCode, said } = await run('serve', folder, '--port', '0');
    expect(exitCode).toBe(2);
    expect(said).toContain('supportedInterfaces[0].protocolBinding: the host serves HTTP+JSON and JSONRPC, not GRPC');
    expect(said).toContain('capabilities.pushNotifications: push notifications are kept with the tasks');
    expect(said).toContain('capabilities.extendedAgentCard: the host serves one card');
  });

  it('is said to have no handler', async () => {
    await writeFile(join(folder, 'agent-card.yaml'), 'name: x');
    const { exitCode, said } = await run('serve', folder);
    expect([exitCode, said]).toEqual([2, expect.stringContaining('has no handler: one of handler.ts')]);
  });
});

describe('a handler’s module', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agent-'));
    await copyFile(`${examples}support-agent/agent-card.yaml`, join(folder, 'agent-card.yaml'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const write = (before: string): Promise<void> =>
    writeFile(
      join(folder, 'handler.mjs'),
      `${before}\nexport default { reminders: true, handle: async () => undefined };\n`,
    );

  it('that ends the process says nothing, but the command does', async () => {
    await write('process.exit(0);');
    const said = expect.stringContaining('the process ended while the handler of');
    expect(await run('serve', folder, '--port', '0')).toEqual({ exitCode: 2, said });
  });

  it('holds up no end as it is loaded', async () => {
    await write(`process.stdout.write('loading\\n'); await new Promise(() => setInterval(() => {}, 1000));`);
    expect(await runUntil('loading', 'serve', folder, '--port', '0')).toMatchObject({ exitCode: 0 });
  });

  it('holds up no end by what it has left open; a port that is taken is one, and is said with its option', async () => {
    await write('setInterval(() => {}, 1000);');
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const port = String((other.address() as AddressInfo).port);
    const { exitCode, said } = await run('serve', folder, '--port', port);
    other.close();
    expect([exitCode, said]).toEqual([3, expect.stringContaining(`port ${port} of 127.0.0.1 is taken`)]);
    expect(said).toContain('set --port to another');
  });
});

it('a port that there is not is wrong use', async () => {
  const { exitCode, said } = await run('serve', `${examples}support-agent`, '--port', '99999');
  expect([exitCode, said]).toEqual([2, expect.stringContaining('it must be a port, 0 to 65535')]);
});
