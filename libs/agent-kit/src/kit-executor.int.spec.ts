// An agent made with the kit, on the SDK's own server, over HTTP: what is activated is echoed and answered, on every binding.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { AgentCard, TaskState } from '@a2a-js/sdk';
import { DefaultRequestHandler, InMemoryTaskStore, ServerCallContext } from '@a2a-js/sdk/server';
import { jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express, { type Express } from 'express';
import { EXTENSION_URI, readObservation } from '#protocol';
import { activating, requestedExtensions } from './activation.ts';
import { echoExtensions } from './echo.ts';
import { expectations } from './expectations.ts';
import { readLapse } from './lapse.ts';
import { OriginTasks } from './origin.ts';

const clock = { now: () => Date.parse('2026-09-10T12:00:00Z'), sleep: () => Promise.resolve() };
const desk = expectations(
  {
    lapseSkill: 'handle_lapse',
    kinds: {
      'shipment.manifest': { subjectType: 'shipment', describes: 'the manifest of a shipment', basis: 'observed' },
      'question.answer': { subjectType: 'task', describes: 'an answer to a question', basis: 'declared' },
    },
  },
  clock,
);
let beginWork: (taskId: string) => void = () => undefined;
const workingId = new Promise<string>((resolve) => (beginWork = resolve));
let finishWork: () => void = () => undefined;
const work = new Promise<void>((resolve) => (finishWork = resolve));
const executor = desk
  .executor(
    async (task, { parts, taskId }) => {
      const [text] = parts.map(({ content }) => (content?.$case === 'text' ? content.value : ''));
      if (text === 'ask') {
        task.expectAnswer('question.answer', { due: { in: 'PT1H' } });
        return { ask: 'Whose shipment is it?' };
      }
      if (text === 'wait') {
        beginWork(taskId);
        await work;
      }
      task.expect('shipment.manifest', { subject: 'PA-1', due: { in: 'PT8H' } });
      return 'Booked PA-1.';
    },
    (lapse, task) => {
      task.extend(lapse, { due: { in: 'PT4H' } });
      return 'The airline was asked again.';
    },
  )
  .onLapse(
    'stalled',
    async (lapse, _, { context }) => `It is ${await origins.cancelOrigin(lapse, 'Nobody answers.', context)}.`,
  );

const tasks = new InMemoryTaskStore();
const origins = new OriginTasks(tasks, { clock });
const closing: (() => void)[] = [];

beforeAll(() => void jest.spyOn(console, 'warn').mockReturnValue(undefined));
afterAll(() => {
  for (const close of closing) close();
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const card = desk.declareOn(
  AgentCard.fromJSON({
    ...{ name: 'Desk', description: 'Books shipments.', version: '1', capabilities: { streaming: true } },
    supportedInterfaces: ['JSONRPC', 'HTTP+JSON'].flatMap((protocolBinding) =>
      ['1.0', '0.3'].map((protocolVersion) => ({ url: 'http://127.0.0.1:9', protocolBinding, protocolVersion })),
    ),
    ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
    skills: [{ id: 'handle_lapse', name: 'Handle a lapse', description: 'Answers for a lapse.', tags: [] }],
  }),
);

/** With the context builder, the middleware, or both. */
function served(by: readonly ('builder' | 'middleware')[]): Express {
  const app = express();
  const options = {
    requestHandler: new DefaultRequestHandler(card, tasks, executor),
    userBuilder: UserBuilder.noAuthentication,
    legacyCompat: { enabled: true },
    ...(by.includes('builder') && { contextBuilder: activating() }),
  };
  if (by.includes('middleware')) app.use(echoExtensions());
  app.use('/rpc', jsonRpcHandler(options));
  app.use('/rest', restHandler(options));
  return app;
}

const current = (messageId: string, text = 'book', more: object = {}): object => ({
  message: { messageId, role: 'ROLE_USER', parts: [{ text }], ...more },
});
const legacy = (messageId: string): object => ({
  message: { kind: 'message', messageId, role: 'user', parts: [{ kind: 'text', text: 'book' }] },
});
const rpc = (method: string, params: object): object => ({ jsonrpc: '2.0', id: 1, method, params });

const bindings: readonly [string, string, string, (id: string) => object][] = [
  ['JSON-RPC', '/rpc', '1.0', (id) => rpc('SendMessage', current(id))],
  ['JSON-RPC, streamed', '/rpc', '1.0', (id) => rpc('SendStreamingMessage', current(id))],
  ['HTTP+JSON', '/rest/message:send', '1.0', current],
  ['HTTP+JSON, streamed', '/rest/message:stream', '1.0', current],
  ['JSON-RPC of 0.3', '/rpc', '0.3', (id) => rpc('message/send', legacy(id))],
  ['JSON-RPC of 0.3, streamed', '/rpc', '0.3', (id) => rpc('message/stream', legacy(id))],
];

async function post(
  url: string,
  body: object,
  { version = '1.0', uris = [EXTENSION_URI] }: { readonly version?: string; readonly uris?: readonly string[] } = {},
): Promise<{ readonly echoed: string | null; readonly text: string }> {
  const name = version === '0.3' ? 'x-a2a-extensions' : 'a2a-extensions';
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(version !== '0.3' && { 'a2a-version': version }),
      ...(uris.length > 0 && { [name]: uris.join(', ') }),
    },
    body: JSON.stringify(body),
  });
  return { echoed: response.headers.get(name), text: await response.text() };
}

describe.each([[['builder']], [['middleware']], [['builder', 'middleware']]] as [('builder' | 'middleware')[]][])(
  'with %j',
  (by) => {
    let url: string;
    beforeAll(async () => void (url = await listen(served(by))));

    it.each(bindings)('echoes what is activated once, and raises: %s', async (_, path, version, body) => {
      const { echoed, text } = await post(url + path, body('m-1'), { version, uris: ['urn:other', EXTENSION_URI] });
      expect(echoed).toBe(EXTENSION_URI);
      expect(text).toContain('"expectationId":"exp-');
    });

    it.each(bindings)('echoes and raises nothing where nothing is activated: %s', async (_, path, version, body) => {
      const { echoed, text } = await post(url + path, body('m-1'), { version, uris: [] });
      expect(echoed).toBeNull();
      expect(text).toContain('Booked PA-1.');
      expect(text).not.toContain(EXTENSION_URI);
    });
  },
);

it('echoes before a handler on Node’s own http, beside what the handler echoes', async () => {
  const echo = echoExtensions();
  const url = await listen((request, response) => {
    echo(request, response);
    response.setHeader('A2A-Extensions', 'urn:own');
    response.end(JSON.stringify(requestedExtensions(request.headers)));
  });
  expect(await post(url, {}, { uris: ['urn:other', EXTENSION_URI] })).toEqual({
    echoed: `urn:own, ${EXTENSION_URI}`,
    text: JSON.stringify(['urn:other', EXTENSION_URI]),
  });
});

describe('an agent on the SDK', () => {
  const lapseOf = (told: string, referenceTaskIds: readonly string[]): object => ({
    ...{ contextId: 'ctx-1', referenceTaskIds },
    metadata: {
      [EXTENSION_URI]: {
        lapse: {
          ...{ expectationId: 'exp-1', kind: 'shipment.manifest', subject: { type: 'shipment', id: 'PA-1' } },
          ...{ expects: 'the manifest of PA-1', lapse: told, lineage: 0 },
          ...{
            projectedDueAt: '2026-09-10T10:00:00Z',
            dueAt: '2026-09-10T10:00:00Z',
            lapsedAt: '2026-09-10T11:00:00Z',
          },
        },
      },
    },
  });
  const send = async (messageId: string, text: string, more: object = {}) => {
    const { text: answer } = await post(url, current(messageId, text, more));
    return JSON.parse(answer).task;
  };
  let url: string;
  beforeAll(async () => void (url = `${await listen(served(['builder']))}/rest/message:send`));

  it('answers a lapse in a task of its own, with more time that a watcher can read', async () => {
    const task = await send('lapse-1', 'overdue', lapseOf('overdue', ['task-0']));
    expect(task['status']).toMatchObject({ state: 'TASK_STATE_COMPLETED' });
    const read = readObservation({ agentId: 'desk', task }, { name: 'test', sources: [] });
    expect(read).toMatchObject({ ok: true, notes: [] });
    expect(JSON.stringify(read)).toContain('"supersedes":"exp-1"');
  });

  it('rejects a lapse that cannot be read', async () => {
    const task = await send('lapse-2', 'overdue', { metadata: { [EXTENSION_URI]: { lapse: { lapse: 'overdue' } } } });
    expect(task['status']).toMatchObject({ state: 'TASK_STATE_REJECTED' });
  });

  it('asks with an expectation on the question itself (§11)', async () => {
    const task = await send('m-ask', 'ask');
    expect(task['status']).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED' });
    expect(task['status'].message.metadata[EXTENSION_URI].expectations).toMatchObject([
      { kind: 'question.answer', subject: { type: 'task', id: task['id'] } },
    ]);
  });

  it('is canceled while it waits for an answer, and while it works, whatever that comes to', async () => {
    const cancel = async (id: string): Promise<unknown> =>
      JSON.parse((await post(url.replace('message:send', `tasks/${id}:cancel`), {})).text);
    const canceled = { status: { state: 'TASK_STATE_CANCELED' } };
    const { id, contextId } = await send('m-waiting', 'ask');
    expect(await cancel(id)).toMatchObject({ id, contextId, ...canceled });

    const working = send('m-working', 'wait');
    expect(await cancel(await workingId)).toMatchObject(canceled);
    finishWork();
    expect(await working).toMatchObject(canceled);
    expect((await tasks.load(await workingId, new ServerCallContext()))?.status?.state).toBe(
      TaskState.TASK_STATE_CANCELED,
    );
  });

  it('cancels the origin task, naming the expectation; not what is over, nor what it cannot see', async () => {
    const { id, contextId } = await send('m-origin', 'ask');
    const lapse = lapseOf('stalled', [id]);
    const answerOf = async (messageId: string, more: object): Promise<string> =>
      (await send(messageId, 'stalled', more))['artifacts'][0].parts[0].text;
    expect(await answerOf('lapse-3', { ...lapse, contextId })).toBe('It is moved.');
    const origin = await tasks.load(id, new ServerCallContext());
    expect([TaskState[origin?.status?.state ?? 0], origin?.status?.message?.parts[0]?.content?.value]).toEqual([
      'TASK_STATE_CANCELED',
      'Nobody answers. (the manifest of PA-1, due at 2026-09-10T10:00:00Z, is stalled: expectation exp-1)',
    ]);
    expect(await answerOf('lapse-4', { ...lapse, contextId })).toBe('It is over.');
    expect(await answerOf('lapse-5', lapseOf('stalled', ['task-9']))).toBe('It is unknown.');
    const read = readLapse({ messageId: 'lapse-6', ...lapseOf('overdue', []) });
    if (read === undefined || 'malformed' in read) throw new Error('it is a lapse');
    expect(await origins.failOrigin(read.lapse, 'No use.', new ServerCallContext())).toBe('unknown');
  });
});
