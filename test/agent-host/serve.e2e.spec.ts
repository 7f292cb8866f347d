// `duewatch serve DIR` as a person runs it: the examples, the specification's request, and cards that are refused.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClientFactory } from '@a2a-js/sdk/client';
import { TaskState } from '@a2a-js/sdk';
import { AgentProcess } from './agent-process.ts';
import { all, isMessage, kindsOf, request } from './served-agent.ts';

const examples = new URL('../../examples/', import.meta.url).pathname;
const main = new URL('../../dist/apps/cli/src/main.js', import.meta.url).pathname;

/** Runs the command to its end. */
async function run(...parameters: string[]): Promise<{ readonly exitCode: number | null; readonly said: string }> {
  const child = spawn(process.execPath, [main, ...parameters], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child, 'close');
  return { exitCode: child.exitCode, said };
}

it('the support agent answers the specification’s request at the exact path', async () => {
  const agent = await AgentProcess.start(`${examples}support-agent`, [], {});
  try {
    const response = await fetch(`${agent.url}/support/a2a/message:send`, {
      method: 'POST',
      headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/a2a+json' },
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
  } finally {
    expect(await agent.stop()).toBe(0);
  }
});

it('the compatibility agent behaves as the kit asks', async () => {
  const agent = await AgentProcess.start(`${examples}compatibility-agent`, [], {});
  try {
    const card = (await (await fetch(`${agent.url}/.well-known/agent-card.json`)).json()) as never;
    const local = JSON.parse(JSON.stringify(card).replaceAll('http://127.0.0.1:1907', agent.url));
    const client = await new ClientFactory().createFromAgentCard(local);
    const state = (name: keyof typeof TaskState) => ({ status: { state: TaskState[name] } });
    const sent = (messageId: string, over: object = {}) => client.sendMessage(request('x', { messageId, ...over }));
    expect(await sent('tck-complete-task-1')).toMatchObject({
      status: { state: TaskState.TASK_STATE_COMPLETED, message: { parts: [{ content: { value: 'Hello from TCK' } }] } },
    });
    expect(isMessage(await sent('tck-message-response-1'))).toBe(true);
    expect(await sent('tck-reject-task-1')).toMatchObject(state('TASK_STATE_REJECTED'));
    expect(await sent('tck-artifact-file-url-1')).toMatchObject({
      artifacts: [{ parts: [{ content: { $case: 'url' }, filename: 'output.txt', mediaType: 'text/plain' }] }],
    });
    expect(await sent('tck-artifact-file-1')).toMatchObject({
      artifacts: [{ parts: [{ content: { $case: 'raw' } }] }],
    });
    const waiting = await sent('tck-input-required-1');
    expect(waiting).toMatchObject(state('TASK_STATE_INPUT_REQUIRED'));
    const taskId = isMessage(waiting) ? '' : waiting.id;
    expect(await sent('tck-input-required-2', { taskId })).toMatchObject(state('TASK_STATE_INPUT_REQUIRED'));
    expect(await sent('tck-complete-task-2', { taskId })).toMatchObject({
      id: taskId,
      ...state('TASK_STATE_COMPLETED'),
    });
    const events = kindsOf(await all(client.sendMessageStream(request('x', { messageId: 'tck-stream-001' }))));
    expect(events.filter((kind) => kind === 'artifact')).toHaveLength(1);
    expect([events[0], events.at(-1)]).toEqual(['task', `state ${TaskState.TASK_STATE_COMPLETED}`]);
  } finally {
    await agent.stop();
  }
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

  it('is said to have no card, no handler, or a wrong one', async () => {
    expect(await run('serve', folder)).toMatchObject({
      exitCode: 2,
      said: expect.stringContaining('agent-card.yaml cannot be read'),
    });
    await writeFile(join(folder, 'agent-card.yaml'), 'name: x');
    expect((await run('serve', folder)).said).toContain('has no handler: one of handler.ts');
    await writeFile(join(folder, 'handler.ts'), 'export default { handle: 1 as number };\n');
    expect((await run('serve', folder)).said).toContain('handle must be a function');
  });
});
