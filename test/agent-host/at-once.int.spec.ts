// How much one caller, and all together, may have under way: turns and streams, on every way to call the agent.
import { TaskState } from '@a2a-js/sdk';
import { all, isMessage, pathOf, request, ServedAgent, type Way, ways } from './served-agent.ts';
import { obedientAgent, Strings } from './obedient-agent.ts';
import { until } from '#testing';

let strings: Strings;
let agent: ServedAgent;

beforeEach(async () => {
  strings = new Strings();
  const bounds = { turns: { userCount: 2, allCount: 9 }, streams: { userCount: 1, allCount: 9 } };
  agent = await ServedAgent.start(obedientAgent(strings), { bounds });
});
afterEach(() => agent.close());

/** A task, once it waits; one that holds is there at once. */
async function begin(text: string): Promise<string> {
  const configuration = { returnImmediately: text.startsWith('hold') };
  const task = await (await agent.client(['HTTP+JSON', '1.0'])).sendMessage(request(text, { configuration }));
  if (isMessage(task)) throw new Error('it is a Message');
  return task.id;
}

/** The request of a way as it is written, which the client of the project would not show. */
function written([binding, version]: Way, operation: 'send' | 'stream'): readonly [string, object] {
  const is1 = version === '1.0';
  const role = is1 ? 'ROLE_USER' : 'user';
  if (binding === 'JSONRPC') {
    const method = is1
      ? { send: 'SendMessage', stream: 'SendStreamingMessage' }
      : { send: 'message/send', stream: 'message/stream' };
    const parts = is1 ? [{ text: 'say hello' }] : [{ kind: 'text', text: 'say hello' }];
    return [
      '',
      { jsonrpc: '2.0', id: 1, method: method[operation], params: { message: { messageId: 'm', role, parts } } },
    ];
  }
  const message = { messageId: 'm', role: 'ROLE_USER', [is1 ? 'parts' : 'content']: [{ text: 'say hello' }] };
  return [`${is1 ? '' : '/v1'}/message:${operation}`, { message }];
}

async function answerTo(way: Way, operation: 'send' | 'stream'): Promise<Response> {
  const [path, body] = written(way, operation);
  const headers = { 'content-type': 'application/json', 'a2a-version': way[1] };
  return fetch(agent.url + pathOf(way) + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

it.each(ways)('past its turns a caller is told to come again, and nothing is begun: %s %s', async (...way) => {
  const held = [await begin('hold 1'), await begin('hold 2')];
  await until(() => strings.begun.length === 2, 'both turns');
  for (const operation of ['send', 'stream'] as const) {
    const response = await answerTo(way, operation);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await response.json()).toMatchObject(
      way[0] === 'JSONRPC'
        ? { jsonrpc: '2.0', id: 1, error: { code: -32603, message: expect.stringContaining('as many turns as') } }
        : way[1] === '1.0'
          ? { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }
          : { message: expect.stringContaining('as many turns as') },
    );
  }
  expect(strings.begun).toHaveLength(2);
  // What only reads, and what ends a turn, passes; then there is room.
  const client = await agent.client(way);
  for (const id of held) await client.cancelTask({ tenant: '', id, metadata: {} });
  await until(async () => (await answerTo(way, 'send')).ok, 'room for a turn');
});

it('a turn that waits for its caller is none that runs, and the caller can answer it', async () => {
  const asking = [await begin('ask a'), await begin('ask b'), await begin('ask c')];
  const held = [await begin('hold 1'), await begin('hold 2')];
  const client = await agent.client(['JSONRPC', '1.0']);
  const task = await client.sendMessage(request('so', { taskId: asking[0]! }));
  expect(task).toMatchObject({ status: { state: TaskState.TASK_STATE_COMPLETED } });
  expect((await answerTo(['JSONRPC', '1.0'], 'send')).status).toBe(429);
  expect(held).toHaveLength(2);
});

it('the next message of a task begins no turn past them either, and may be sent again', async () => {
  const waiting = await begin('later which?');
  const held = [await begin('hold 1'), await begin('hold 2')];
  const client = await agent.client(['HTTP+JSON', '1.0']);
  await expect(client.sendMessage(request('say this', { taskId: waiting }))).rejects.toThrow('as many turns as');
  const { status } = await client.getTask({ tenant: '', id: waiting });
  expect(status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  await client.cancelTask({ tenant: '', id: held[0]!, metadata: {} });
  const say = () => client.sendMessage(request('say this', { taskId: waiting }));
  await until(
    () =>
      say().then(
        () => true,
        () => false,
      ),
    'room for a turn',
  );
  const task = await client.getTask({ tenant: '', id: waiting });
  expect(task).toMatchObject({ status: { state: TaskState.TASK_STATE_COMPLETED } });
});

it.each(ways)('past its streams, too; a stream that has ended makes room: %s %s', async (...way) => {
  const client = await agent.client(way);
  const held = client.sendMessageStream(request('hold on'));
  const { value: first } = await held.next();
  const response = await answerTo(way, 'stream');
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
  const id = first?.payload?.$case === 'task' ? first.payload.value.id : '';
  await expect(client.resubscribeTask({ tenant: '', id }).next()).rejects.toThrow('as many streams as');
  strings.isOpen = true;
  await all(held);
  await until(async () => (await answerTo(way, 'stream')).ok, 'room for a stream');
});
