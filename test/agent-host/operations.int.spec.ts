// What callers can do with tasks: follow them after a disconnect, cancel, list, send once; and what they are told of faults.
import { type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { createDatabase, type TestDatabase, until } from '#testing';
import { obedientAgent, Strings } from './obedient-agent.ts';
import {
  clientOf,
  isMessage,
  kindsOf,
  request,
  ServedAgent,
  type SendOptions,
  textsOf,
  type Way,
  pathOf,
} from './served-agent.ts';

const strings = new Strings();
let agent: ServedAgent;
let client: Client;
beforeAll(async () => {
  agent = await ServedAgent.start(obedientAgent(strings));
});
afterAll(() => agent.close());
beforeEach(() => {
  strings.isOpen = false;
  strings.ended.length = 0;
  strings.begun.length = 0;
});

const get = (id: string): Promise<Task> => client.getTask({ tenant: '', id });
const cancel = (id: string): Promise<Task> => client.cancelTask({ tenant: '', id, metadata: {} });

async function sendAtOnce(text: string, options: SendOptions = {}): Promise<Task> {
  const answer = await client.sendMessage(request(text, { ...options, configuration: { returnImmediately: true } }));
  if (isMessage(answer)) throw new Error('it is a Message');
  return answer;
}

async function sent(text: string, options: SendOptions = {}): Promise<Task> {
  const answer = await client.sendMessage(request(text, options));
  if (isMessage(answer)) throw new Error('it is a Message');
  return answer;
}

/** What an operation is refused with. */
async function refused(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'taken',
    (error: unknown) => (error as Error).name,
  );
}

describe.each<Way>([
  ['JSONRPC', '1.0'],
  ['HTTP+JSON', '1.0'],
])('over %s of %s', (...way) => {
  beforeAll(async () => (client = await agent.client(way)));

  describe('a task', () => {
    it('goes on when its caller has gone, and is followed again to its end', async () => {
      const gone = new AbortController();
      const stream = client.sendMessageStream(request('hold done'), { signal: gone.signal });
      const first = await stream.next();
      const id = first.value?.payload?.$case === 'task' ? first.value.payload.value.id : '';
      gone.abort();
      await stream.return(undefined);
      const events: StreamResponse[] = [];
      for await (const event of client.resubscribeTask({ tenant: '', id })) {
        events.push(event);
        strings.isOpen = true;
      }
      expect([kindsOf(events)[0], kindsOf(events).at(-1)]).toEqual(['task', `state ${TaskState.TASK_STATE_COMPLETED}`]);
      expect(textsOf(await get(id))).toEqual(['holding', 'done']);
      expect(await refused(client.resubscribeTask({ tenant: '', id }).next())).toBe('UnsupportedOperationError');
    });

    it('is canceled only once its handler has ended', async () => {
      const { id } = await sendAtOnce('hold never');
      await until(async () => (await get(id)).artifacts.length > 0, 'the turn');
      expect(strings.ended).toEqual([]);
      const canceled = await cancel(id);
      expect([canceled.status?.state, strings.ended]).toEqual([TaskState.TASK_STATE_CANCELED, ['hold never']]);
      expect(textsOf(canceled)).toEqual(['holding']);
      expect(await refused(cancel(id))).toBe('TaskNotCancelableError');
    });

    it('is canceled only once the work that it waits for has ended', async () => {
      const { id } = await sent('wait parcel');
      await until(() => strings.begun.includes('work parcel'), 'the work');
      const canceled = await cancel(id);
      expect([canceled.status?.state, strings.ended]).toEqual([TaskState.TASK_STATE_CANCELED, ['work parcel']]);
    });

    it('is canceled while it waits for its caller, in a turn or between two', async () => {
      for (const text of ['ask may I?', 'later which one?']) {
        const { id } = await sent(text);
        expect((await cancel(id)).status?.state).toBe(TaskState.TASK_STATE_CANCELED);
      }
    });

    it('cannot be canceled once it is over', async () => {
      const { id } = await sent('artifact');
      expect(await refused(cancel(id))).toBe('TaskNotCancelableError');
    });

    it('begins another turn with the next message, where it asked between two, and keeps its history in order', async () => {
      const { id, contextId } = await sent('later which one?');
      const after = await sent('later and now?', { taskId: id });
      expect([after.id, after.contextId]).toEqual([id, contextId]);
      const done = await sent('that one', { taskId: id });
      expect(textsOf(done)).toEqual(['4 before']);
      const said = done.history.map(({ parts }) => parts[0]?.content?.value as unknown);
      expect(said).toEqual(['later which one?', 'which one?', 'later and now?', 'and now?', 'that one']);
    });

    it('takes no message while it works, nor once it is over, nor of another context', async () => {
      const held = await sendAtOnce('hold done');
      expect(await refused(sent('more', { taskId: held.id }))).toBe('UnsupportedOperationError');
      strings.isOpen = true;
      const over = await sent('artifact');
      expect(await refused(sent('more', { taskId: over.id }))).toBe('UnsupportedOperationError');
      const asks = await sent('later which?');
      expect(await refused(sent('more', { taskId: asks.id, contextId: 'other' }))).toBe('RequestMalformedError');
      expect(await refused(sent('more', { taskId: 'none' }))).toBe('TaskNotFoundError');
    });

    it('is rejected where its agent says so, and fails without the words of what was thrown', async () => {
      expect((await sent('reject not mine')).status).toMatchObject({ state: TaskState.TASK_STATE_REJECTED });
      const failed = await sent('throw');
      expect(failed.status?.state).toBe(TaskState.TASK_STATE_FAILED);
      expect(JSON.stringify(failed)).not.toContain('hunter2');
    });
  });

  describe('tasks listed', () => {
    it('are narrowed and come in pages, without artifacts unless they are asked for', async () => {
      for (const text of ['artifact', 'later which?', 'artifact']) await sent(text, { contextId: `listed-${way[0]}` });
      const list = (over: object) =>
        client.listTasks({
          tenant: '',
          contextId: `listed-${way[0]}`,
          status: TaskState.TASK_STATE_UNSPECIFIED,
          pageToken: '',
          statusTimestampAfter: undefined,
          ...over,
        });
      const first = await list({ pageSize: 2 });
      expect([first.tasks.length, first.totalSize, first.pageSize]).toEqual([2, 3, 2]);
      const second = await list({ pageSize: 2, pageToken: first.nextPageToken });
      expect([second.tasks.length, second.nextPageToken]).toEqual([1, '']);
      const ids = [...first.tasks, ...second.tasks].map(({ id }) => id);
      expect(new Set(ids).size).toBe(3);
      const completed = { status: TaskState.TASK_STATE_COMPLETED, historyLength: 0 };
      expect((await list(completed)).tasks.map(({ artifacts, history }) => [artifacts.length, history.length])).toEqual(
        [
          [0, 0],
          [0, 0],
        ],
      );
      expect((await list({ ...completed, includeArtifacts: true })).tasks[0]?.artifacts).toHaveLength(1);
      expect(await refused(list({ pageToken: 'nonsense' }))).toBe('RequestMalformedError');
      const longAgo = Buffer.from(JSON.stringify([-(2 ** 53) + 1, 'task'])).toString('base64url');
      expect(await refused(list({ pageToken: longAgo }))).toBe('RequestMalformedError');
      expect(await refused(list({ statusTimestampAfter: '-200000-01-01T00:00:00Z' }))).toBe('RequestMalformedError');
      expect(await refused(list({ pageSize: 101 }))).toBe('RequestMalformedError');
    });
  });
});

describe('a message', () => {
  it('becomes a task each time it is sent', async () => {
    const twice = [await sent('artifact', { messageId: 'same' }), await sent('artifact', { messageId: 'same' })];
    expect(new Set(twice.map(({ id }) => id)).size).toBe(2);
  });

  it('becomes one task for a caller who asks for that, and another message of that key is refused', async () => {
    const once = await clientOf(agent.url, ['JSONRPC', '1.0'], { 'idempotency-key': 'order-1' });
    const message = request('say hello', { messageId: 'same' });
    const [first, again] = [await once.sendMessage(message), await once.sendMessage(message)];
    expect([isMessage(first), again]).toEqual([false, first]);
    expect(await refused(once.sendMessage(request('say other')))).toBe('RequestMalformedError');
  });

  it('of a task is taken once of a caller who asks for that, and another of its id is refused', async () => {
    const task = await sent('later which?');
    const once = await clientOf(agent.url, ['HTTP+JSON', '1.0'], { 'idempotency-key': 'order-3' });
    const reply = (text: string) => once.sendMessage(request(text, { taskId: task.id, messageId: 'reply' }));
    const [first, again] = [await reply('later and then?'), await reply('later and then?')];
    expect(isMessage(again) ? undefined : again.history).toEqual(isMessage(first) ? [] : first.history);
    expect(await refused(reply('say other'))).toBe('RequestMalformedError');
  });

  it('that is sent while its task runs is the same task', async () => {
    const once = await clientOf(agent.url, ['HTTP+JSON', '1.0'], { 'idempotency-key': 'order-2' });
    const message = request('hold done', { messageId: 'same' });
    const answers = [once.sendMessage(message), once.sendMessage(message)];
    await until(() => strings.begun.includes('hold done'), 'the turn');
    strings.isOpen = true;
    const [first, again] = await Promise.all(answers);
    expect(again).toEqual(first);
  });

  it.each([
    ['an image', [{ url: 'https://a.example/x.png' }], 'ContentTypeNotSupportedError'],
    ['nothing', [], 'RequestMalformedError'],
  ])('is refused by a text agent with %s', async (_, parts, name) => {
    expect(await refused(client.sendMessage(request('', { parts })))).toBe(name);
  });
});

describe('what cannot be read', () => {
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(agent.url + path, {
      ...{ method: 'POST', body, headers: { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers } },
    });

  it('is told as each binding does', async () => {
    const rpc = await post(pathOf(['JSONRPC', '1.0']), '{"a":1,"a":2}');
    expect([rpc.status, await rpc.json()]).toMatchObject([200, { id: null, error: { code: -32700 } }]);
    const rest = await post(`${pathOf(['HTTP+JSON', '1.0'])}/message:send`, '{');
    expect([rest.status, await rest.json()]).toMatchObject([400, { error: { status: 'INVALID_ARGUMENT' } }]);
  });

  it('is refused where the version or the media type is not served there', async () => {
    const rest = `${pathOf(['HTTP+JSON', '1.0'])}/message:send`;
    const old = await post(rest, '{}', { 'a2a-version': '0.3' });
    expect([old.status, JSON.stringify(await old.json())]).toEqual([
      400,
      expect.stringContaining('VERSION_NOT_SUPPORTED'),
    ]);
    const text = await post(rest, '{}', { 'content-type': 'text/plain' });
    expect(JSON.stringify(await text.json())).toContain('CONTENT_TYPE_NOT_SUPPORTED');
  });
});

describe('the card', () => {
  it('is public, cached, and asked about by its tag', async () => {
    const url = `${agent.url}/.well-known/agent-card.json`;
    const headers = { 'a2a-version': '1.0' };
    const first = await fetch(url, { headers });
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    expect(await first.json()).toMatchObject({ name: 'Tested agent', supportedInterfaces: { length: 4 } });
    expect((await fetch(url, { headers: { ...headers, 'if-none-match': etag } })).status).toBe(304);
  });

  it('is shown to clients of 0.3 as they know it', async () => {
    const card = await (await fetch(`${agent.url}/.well-known/agent-card.json`)).json();
    expect(card).toMatchObject({
      protocolVersion: expect.stringMatching(/^0\.3/),
      url: expect.stringContaining('0-3'),
    });
  });
});

describe('a question after queued work', () => {
  const places = { tasks: 'postgres', sessions: 'memory', work: 'postgres' } as const;
  let database: TestDatabase;
  beforeAll(async () => (database = await createDatabase()));
  afterAll(() => database.drop());

  const serve = (own: Strings) =>
    ServedAgent.start(obedientAgent(own), { places, databaseUrl: database.url, leaseMs: 1_000 });
  const send = async (served: ServedAgent, text: string, taskId?: string): Promise<Task> => {
    const options = taskId === undefined ? {} : { taskId };
    const answer = await (await served.client(['JSONRPC', '1.0'])).sendMessage(request(text, options));
    if (isMessage(answer)) throw new Error('it is a Message');
    return answer;
  };
  const taskOf = async (served: ServedAgent, id: string) =>
    (await served.client(['JSONRPC', '1.0'])).getTask({ tenant: '', id });

  it('is asked by the process whose turn asked for the work', async () => {
    const own = new Strings();
    const served = await serve(own);
    const { id } = await send(served, 'wait ask');
    own.isOpen = true;
    await until(
      async () => (await taskOf(served, id)).status?.state === TaskState.TASK_STATE_INPUT_REQUIRED,
      'the question',
    );
    expect(textsOf(await send(served, 'yes', id))).toEqual(['ship ask shipped']);
    await served.close();
  });

  it('fails its task at any other, which cannot hold it', async () => {
    const first = await serve(new Strings());
    const { id } = await send(first, 'wait ask');
    await first.close();
    const own = new Strings();
    own.isOpen = true;
    const other = await serve(own);
    await until(async () => (await taskOf(other, id)).status?.state === TaskState.TASK_STATE_FAILED, 'the end');
    const said = (await taskOf(other, id)).status?.message?.parts[0]?.content?.value as unknown;
    expect(said).toBe('The agent needs input that the process which resumed this cannot take.');
    await other.close();
  });
});
