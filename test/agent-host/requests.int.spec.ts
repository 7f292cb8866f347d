// What is answered to requests that are not as they must be: in whatever binding and version, and never in words of the code's.
import { request as httpRequest } from 'node:http';
import { TaskState } from '@a2a-js/sdk';
import { until } from '#testing';
import { obedientAgent, Strings } from './obedient-agent.ts';
import { all, isMessage, kindsOf, pathOf, request, ServedAgent, type Way, ways } from './served-agent.ts';

const strings = new Strings();
let agent: ServedAgent;
beforeAll(async () => {
  const supportedInterfaces = ways.map(([protocolBinding, protocolVersion]) => {
    const url = `https://agents.example${pathOf([protocolBinding, protocolVersion])}`;
    return { url, protocolBinding, protocolVersion };
  });
  agent = await ServedAgent.start(obedientAgent(strings), { card: { supportedInterfaces } });
});
afterAll(() => agent.close());

type Answer = Awaited<ReturnType<typeof ask>>;

async function ask(method: string, path: string, body?: unknown, headers: object = {}) {
  const init = { method, headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers } };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(agent.url + path, { ...init, ...(body !== undefined && { body: text }) });
  const answer = await response.text();
  return { status: response.status, json: answer === '' ? undefined : JSON.parse(answer), headers: response.headers };
}

const versionHeader = ([, version]: Way) => (version === '1.0' ? { 'a2a-version': '1.0' } : {});
const parts = (way: Way, list: unknown[]): object =>
  way.join() === 'HTTP+JSON,0.3' ? { content: list } : { parts: list };
const textPart = (way: Way, text: string): object => (way.join() === 'JSONRPC,0.3' ? { kind: 'text', text } : { text });

/** A message, as each way sends it. */
function send(way: Way, over: object, headers: object = {}): Promise<Answer> {
  const [binding, version] = way;
  const role = way.join() === 'JSONRPC,0.3' ? 'user' : 'ROLE_USER';
  const message = { messageId: 'm', role, ...parts(way, [textPart(way, 'say hello')]), ...over };
  const all = { ...versionHeader(way), ...headers };
  if (binding === 'JSONRPC') {
    const method = version === '1.0' ? 'SendMessage' : 'message/send';
    return ask('POST', pathOf(way), { jsonrpc: '2.0', id: 'r-1', method, params: { message } }, all);
  }
  return ask('POST', `${pathOf(way)}${version === '0.3' ? '/v1' : ''}/message:send`, { message }, all);
}

/** JSON-RPC's code, or that of HTTP+JSON in its version's form. */
function codeOf([binding, version]: Way, { status, json }: Answer): unknown {
  if (binding === 'JSONRPC' || version === '0.3') return json.error?.code ?? json.code ?? status;
  return json.error?.details[0].reason ?? status;
}

describe.each<Way>(ways.map((way) => [...way]))('over %s of %s', (...way) => {
  const invalid = way.join() === 'HTTP+JSON,1.0' ? 'INVALID_PARAMS' : -32602;

  it('what the official client sends is as it must be', async () => {
    const client = await agent.client(way);
    const options = { contextId: `of-${way.join()}`, configuration: { acceptedOutputModes: ['text/plain'] } };
    const task = await client.sendMessage(request('later which?', options));
    if (isMessage(task)) throw new Error('it is a Message');
    expect((await client.getTask({ tenant: '', id: task.id, historyLength: 1 })).history.length).toBeLessThan(2);
    const events = await all(client.sendMessageStream(request('say hello', { taskId: task.id })));
    expect(kindsOf(events).at(-1)).toBe(`state ${TaskState.TASK_STATE_COMPLETED}`);
    const other = await client.sendMessage(request('later which?'));
    if (isMessage(other)) throw new Error('it is a Message');
    expect(await client.cancelTask({ tenant: '', id: other.id, metadata: { why: 'x' } })).toMatchObject({
      id: other.id,
    });
  });

  it.each([
    ['a part that is null', [null]],
    ['a text that is none', [way.join() === 'JSONRPC,0.3' ? { kind: 'text', text: {} } : { text: {} }]],
    ['no part', []],
  ])('%s is named', async (_, list) => {
    const answer = await send(way, parts(way, list));
    expect([codeOf(way, answer), answer.status < 500]).toEqual([invalid, true]);
    expect(JSON.stringify(answer.json)).toMatch(/message\.(parts|content)/);
    expect(JSON.stringify(answer.json)).not.toContain('Cannot read');
  });

  it('patch numbers of the version are not considered', async () => {
    expect((await send(way, {}, { 'a2a-version': `${way[1]}.7` })).json).toEqual(
      expect.not.objectContaining({ error: expect.anything() }),
    );
    const other = await send(way, {}, { 'a2a-version': '2.0' });
    expect(JSON.stringify(other.json)).toContain('version');
  });

  it('what a page can send without asking is of no media type that is taken', async () => {
    const taken = way.join() === 'HTTP+JSON,1.0' ? 'CONTENT_TYPE_NOT_SUPPORTED' : -32005;
    for (const type of ['', 'text/plain', 'application/json; charset=utf-16']) {
      const answer = await send(way, {}, { 'content-type': type });
      expect([type, codeOf(way, answer)]).toEqual([type, taken]);
    }
  });

  it('a body that is no JSON is told in the form of its version', async () => {
    const rest = `${way[1] === '0.3' ? '/v1' : ''}/message:send`;
    const path = pathOf(way) + (way[0] === 'JSONRPC' ? '' : rest);
    const answer = await ask('POST', path, '{', versionHeader(way));
    expect(codeOf(way, answer)).toBe(way.join() === 'HTTP+JSON,1.0' ? 'INVALID_PARAMS' : -32700);
  });
});

it('a task may be named in the version that the parameter asks for', async () => {
  const path = `${pathOf(['HTTP+JSON', '1.0'])}/tasks`;
  expect((await ask('GET', path)).status).toBe(400);
  expect((await ask('GET', `${path}?A2A-Version=1.0`)).status).toBe(200);
  expect((await ask('GET', `${path}?A2A-Version=1.0`, undefined, { 'a2a-version': '0.3' })).status).toBe(400);
});

it('the card is shown as the version that is asked for has it', async () => {
  const card = async (query: string, version: string) =>
    'protocolVersion' in
    (await ask('GET', `/.well-known/agent-card.json${query}`, undefined, { 'a2a-version': version })).json;
  expect([await card('', '0.3.0'), await card('', ''), await card('', '1.0.0')]).toEqual([true, true, false]);
  expect(await card('?a2a-version=1.0', '')).toBe(false);
});

it('a page asks before it tells a task to end, even without a body', async () => {
  const path = `${pathOf(['HTTP+JSON', '1.0'])}/tasks/none:cancel?A2A-Version=1.0`;
  expect((await ask('POST', path)).status).toBe(404);
  const page = await ask('POST', path, undefined, { origin: 'https://page.example' });
  expect(page.json.error.details[0].reason).toBe('CONTENT_TYPE_NOT_SUPPORTED');
});

it('by this machine’s own address an agent that asks nobody has no other names than its own', async () => {
  const { port } = new URL(agent.url);
  const statusFor = (host: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const path = `${pathOf(['HTTP+JSON', '1.0'])}/tasks`;
      const headers = { host, 'a2a-version': '1.0' };
      httpRequest({ host: '127.0.0.1', port, path, headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });
  for (const host of ['localhost:1907', `127.0.0.1:${port}`, '[::1]', 'agents.example']) {
    expect([host, await statusFor(host)]).toEqual([host, 200]);
  }
  for (const host of ['page.example', 'localhost.page.example', '127.0.0.1.page.example']) {
    expect([host, await statusFor(host)]).toEqual([host, 421]);
  }
});

it.each([
  ['a batch', []],
  ['a text', '"a"'],
  ['no version of JSON-RPC', { id: 1, method: 'GetTask', params: {} }],
  ['a fraction for an id', { jsonrpc: '2.0', id: 1.5, method: 'GetTask', params: {} }],
  ['no method', { jsonrpc: '2.0', id: 1, params: {} }],
])('%s is no request of JSON-RPC', async (_, body) => {
  for (const way of [
    ['JSONRPC', '1.0'],
    ['JSONRPC', '0.3'],
  ] as const) {
    const { status, json } = await ask('POST', pathOf(way), body, versionHeader(way));
    expect([status, json.error.code]).toEqual([200, -32600]);
  }
});

it('operations of 0.3 are where 0.3 has them, and nowhere else', async () => {
  expect((await ask('GET', `${pathOf(['HTTP+JSON', '0.3'])}/v1/tasks/none`)).json.code).toBe(-32001);
  const response = await fetch(`${agent.url}${pathOf(['HTTP+JSON', '0.3'])}/tasks/none`);
  expect([response.status, await response.text()]).toEqual([404, expect.not.stringContaining('TASK_NOT_FOUND')]);
});

it.each<Way>([
  ['JSONRPC', '0.3'],
  ['HTTP+JSON', '0.3'],
])('a stream over %s of %s says of its last status that it is the last', async (...way) => {
  const message = { messageId: 'm', role: way[0] === 'JSONRPC' ? 'user' : 'ROLE_USER' };
  const said = { message: { ...message, ...parts(way, [textPart(way, 'later which?')]) } };
  const body = way[0] === 'JSONRPC' ? { jsonrpc: '2.0', id: 1, method: 'message/stream', params: said } : said;
  const response = await fetch(agent.url + pathOf(way) + (way[0] === 'JSONRPC' ? '' : '/v1/message:stream'), {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  });
  const events = (await response.text())
    .trim()
    .split('\n\n')
    .map((event) => JSON.parse(event.replace(/^data: /, '')));
  const finals = events.flatMap(({ result, statusUpdate = result }) =>
    statusUpdate?.status?.state ? [statusUpdate.final] : [],
  );
  expect([finals.at(-1), finals.slice(0, -1).includes(true)]).toEqual([true, false]);
});

it('who has too much under way is told so as HTTP has it, and may still ask without a body', async () => {
  const { port } = new URL(agent.url);
  const uploads = Array.from({ length: 4 }, () => {
    const path = `${pathOf(['HTTP+JSON', '1.0'])}/message:send`;
    const headers = { 'content-type': 'application/json', 'content-length': 9_900_000, 'a2a-version': '1.0' };
    const upload = httpRequest({ host: '127.0.0.1', port, path, method: 'POST', headers });
    upload.on('error', () => undefined).write(Buffer.alloc(9_800_000, 32));
    return upload;
  });
  try {
    const long = { metadata: { long: 'x'.repeat(800_000) } };
    const answers = new Map<string, Answer>();
    for (const way of ways) {
      await until(async () => {
        answers.set(way.join(), await send(way, long));
        return answers.get(way.join())?.status === 429;
      }, 'that there is too much');
    }
    expect([...answers.values()].map(({ headers }) => headers.get('retry-after'))).toEqual(['1', '1', '1', '1']);
    const shown = [...answers.values()].map(({ json }) => json.error?.status ?? json.error?.code ?? json.code);
    expect(shown).toEqual(['RESOURCE_EXHAUSTED', -32603, -32603, -32603]);
    const tasks = `${pathOf(['HTTP+JSON', '1.0'])}/tasks`;
    expect((await ask('GET', tasks, undefined, { 'a2a-version': '1.0' })).status).toBe(200);
  } finally {
    for (const upload of uploads) upload.destroy();
  }
});

it('parameters that may be left out, and nulls of 0.3, are what is not given', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'ListTasks' };
  for (const body of [list, { ...list, params: null }]) {
    const { json } = await ask('POST', pathOf(['JSONRPC', '1.0']), body, { 'a2a-version': '1.0' });
    expect(json.result.tasks).toBeInstanceOf(Array);
  }
  const message = { messageId: 'm', role: 'user', contextId: null, parts: [{ kind: 'text', text: 'later which?' }] };
  const configuration = { historyLength: null, blocking: true };
  const params = { message, configuration, metadata: null };
  const sent = await ask('POST', pathOf(['JSONRPC', '0.3']), { jsonrpc: '2.0', id: 1, method: 'message/send', params });
  expect(sent.json.result.status.state).toBe('input-required');
});
