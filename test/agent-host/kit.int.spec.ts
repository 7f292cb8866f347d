// An agent made with the kit, served by the host: what it expects reaches who has activated the extension, on every way to call
// it, and its lapses reach who answers for them, each once.
import { type Message, SendMessageRequest, type Task, TaskState } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { jest } from '@jest/globals';
import type { Turn } from '#agent-handler';
import { cancelOrigin, expectations, failOrigin, type Lapse, type TaskBlock } from '#agent-kit';
import { EXTENSION_URI } from '#protocol';
import { until } from '#testing';
import { all, isMessage, request, ServedAgent, textsOf, type Way, ways } from './served-agent.ts';

const desk = expectations({
  lapseSkill: 'test',
  kinds: {
    manifest: { subjectType: 'shipment', describes: 'the manifest of a shipment', basis: 'declared' },
    answer: { subjectType: 'task', describes: 'an answer to a question', basis: 'declared' },
  },
});
const extension = { 'A2A-Extensions': EXTENSION_URI, 'X-A2A-Extensions': EXTENSION_URI };
const lapses: string[] = [];
const ended: string[] = [];

async function obey(task: TaskBlock<'manifest' | 'answer'>, turn: Turn) {
  const [word, shipment = 'PA-1'] = turn.message.text.split(' ');
  if (word === 'hello') return 'Hello.';
  if (word === 'ask') {
    task.expectAnswer('answer', { due: { in: 'PT1H' } });
    return { ask: 'Whose shipment is it?' };
  }
  if (word === 'hold') {
    await turn.track();
    await until(() => turn.signal.aborted, 'the end of the turn');
    ended.push(turn.taskId);
    return 'Too late.';
  }
  task.expect('manifest', { subject: shipment, due: { in: 'PT8H' } });
  if (word === 'ship') return { outcome: 'waiting', work: 'ship', payload: shipment, state: 'by air' } as const;
  if (word === 'two') return { artifacts: [{ parts: [{ text: 'one' }] }, { parts: [{ text: 'two' }] }], text: 'Done.' };
  return `Booked ${shipment}.`;
}

async function answerFor(lapse: Lapse, task: TaskBlock<'manifest' | 'answer'>): Promise<string> {
  lapses.push(`${lapse.told} ${lapse.messageId}`);
  task.extend(lapse, { due: { in: 'PT4H' } });
  return 'The airline was asked again.';
}

let agent: ServedAgent;
beforeAll(async () => {
  const handler = desk
    .handler(obey, answerFor)
    .onLapse('stalled', async (lapse, _, turn) => `It is ${await cancelOrigin(turn, lapse, 'Nobody answers.')}.`)
    .onLapse('skipped', async (lapse, _, turn) => `It is ${await failOrigin(turn, lapse, 'It has left.')}.`);
  agent = await ServedAgent.start({
    ...handler,
    work: { ship: { perform: async (payload) => payload } },
    resume: (turn, { result, state }) =>
      desk.inTurn(turn, (task) => {
        task.expect('manifest', { subject: 'PA-2', due: { in: 'PT8H' } });
        return `Shipped: ${JSON.stringify([result, state])}.`;
      }),
  });
});
afterAll(() => agent.close());
beforeEach(() => {
  lapses.length = 0;
  ended.length = 0;
});

function blockOf({ metadata }: { readonly metadata?: Readonly<Record<string, unknown>> | undefined }) {
  return metadata?.[EXTENSION_URI] as { readonly expectations?: readonly Record<string, unknown>[] } | undefined;
}

function taskOf(answer: Message | Task): Task {
  if (isMessage(answer)) throw new Error('it is a Message');
  return answer;
}

let count = 0;
/** A lapse as a watcher tells of it. */
function lapseOf(over: { messageId?: string; lapse?: string; origin?: string; block?: object } = {}) {
  count += 1;
  const { messageId = `lapse:exp-${count}`, lapse = 'overdue', origin = 'unknown' } = over;
  const at = '2026-09-10T12:00:00Z';
  const expectation = { expectationId: `exp-${count}`, kind: 'manifest', subject: { type: 'shipment', id: 'PA-1' } };
  const told = { lapse, expects: 'the manifest', projectedDueAt: at, dueAt: at, lapsedAt: at, lineage: 0 };
  const metadata = { [EXTENSION_URI]: { lapse: over.block ?? { ...expectation, ...told } } };
  const message = { messageId, role: 'ROLE_USER', parts: [{ text: 'It did not come.' }], extensions: [EXTENSION_URI] };
  return SendMessageRequest.fromJSON({
    message: { ...message, contextId: `context-${count}`, referenceTaskIds: [origin], metadata },
  });
}

describe.each(ways)('over %s %s', (...way: Way) => {
  // The SDK's codec of this way knows neither an artifact's extensions nor the tasks that a message is about.
  const hasAllMembers = way.join(' ') !== 'HTTP+JSON 0.3';
  let client: Client;
  let stranger: Client;
  beforeAll(async () => {
    client = await agent.client(way, extension);
    stranger = await agent.client(way);
  });

  it('what is expected is carried by an artifact of a Task, to who activated the extension alone', async () => {
    const task = taskOf(await client.sendMessage(request('book')));
    const [artifact] = task.artifacts;
    expect([textsOf(task), artifact?.extensions]).toEqual([['Booked PA-1.'], hasAllMembers ? [EXTENSION_URI] : []]);
    expect(blockOf(artifact ?? {})?.expectations).toMatchObject([{ kind: 'manifest', subject: { id: 'PA-1' } }]);

    const answer = await stranger.sendMessage(request('book'));
    expect([isMessage(answer), textsOf(answer), JSON.stringify(answer).includes(EXTENSION_URI)]).toEqual([
      true,
      ['Booked PA-1.'],
      false,
    ]);
    const events = await all(stranger.sendMessageStream(request('book')));
    expect(JSON.stringify(events)).not.toContain(EXTENSION_URI);
  });

  it('is echoed on Messages, Tasks and streams, to who asks for it', async () => {
    const fetched = jest.spyOn(globalThis, 'fetch');
    const echoes = async (calls: Client): Promise<unknown[]> => {
      fetched.mockClear();
      expect(isMessage(await calls.sendMessage(request('hello')))).toBe(true);
      taskOf(await calls.sendMessage(request('ask')));
      const events = await all(calls.sendMessageStream(request('book')));
      expect(JSON.stringify(events).includes(EXTENSION_URI)).toBe(calls === client);
      const responses = await Promise.all(fetched.mock.results.map(({ value }) => value as Promise<Response>));
      return responses.map(({ headers }) => headers.get('a2a-extensions') ?? headers.get('x-a2a-extensions'));
    };
    try {
      expect(await echoes(client)).toEqual([EXTENSION_URI, EXTENSION_URI, EXTENSION_URI]);
      expect(await echoes(stranger)).toEqual([null, null, null]);
    } finally {
      fetched.mockRestore();
    }
  });

  it('a question carries what it waits for, and the next message is another turn', async () => {
    const asked = taskOf(await client.sendMessage(request('ask')));
    const question = asked.status?.message;
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(blockOf(question ?? {})?.expectations).toMatchObject([{ kind: 'answer', subject: { id: asked.id } }]);
    const booked = taskOf(await client.sendMessage(request('book PA-7', { taskId: asked.id })));
    expect(blockOf(booked.artifacts[0] ?? {})?.expectations).toMatchObject([{ subject: { id: 'PA-7' } }]);
  });

  it('a lapse reaches who answers for it, once, however often and by whatever call it comes', async () => {
    const lapse = lapseOf();
    const first = taskOf(await client.sendMessage(lapse));
    expect(textsOf(first)).toEqual(['The airline was asked again.']);
    expect(blockOf(first.artifacts[0] ?? {})?.expectations).toMatchObject([{ supersedes: `exp-${count}` }]);
    const [again] = await all(client.sendMessageStream(lapse));
    expect([taskOf(await client.sendMessage(lapse)).id, again?.payload?.value]).toMatchObject([
      first.id,
      { id: first.id },
    ]);
    expect(lapses).toEqual([`overdue ${lapse.message?.messageId}`]);
    expect(first.history[0]?.referenceTaskIds).toEqual(hasAllMembers ? ['unknown'] : []);
  });
});

describe('over HTTP+JSON 1.0', () => {
  let client: Client;
  beforeAll(async () => (client = await agent.client(['HTTP+JSON', '1.0'], extension)));

  it('a kind of lapse that is not known yet is answered for as overdue, a malformed one is rejected', async () => {
    await client.sendMessage(lapseOf({ lapse: 'silent' }));
    expect(lapses).toEqual([`silent lapse:exp-${count}`]);
    const rejected = taskOf(await client.sendMessage(lapseOf({ block: { lapse: 'overdue' } })));
    expect(rejected.status?.state).toBe(TaskState.TASK_STATE_REJECTED);
  });

  it('a message id that comes twice without a lapse, or without the extension, is another message', async () => {
    const sent = request('book', { messageId: 'same' });
    const ids = [await client.sendMessage(sent), await client.sendMessage(sent)].map((task) => taskOf(task).id);
    expect(ids[0]).not.toBe(ids[1]);
    const stranger = await agent.client(['HTTP+JSON', '1.0']);
    const lapse = lapseOf();
    await stranger.sendMessage(lapse);
    await stranger.sendMessage(lapse);
    expect(lapses).toHaveLength(2);
  });

  it.each([
    ['skipped', TaskState.TASK_STATE_FAILED, 'It has left.'],
    ['stalled', TaskState.TASK_STATE_CANCELED, 'Nobody answers.'],
  ])('the origin task of what is %s is ended, with a message that names the expectation', async (kind, state, why) => {
    const held = taskOf(await client.sendMessage(request('hold', { configuration: { returnImmediately: true } })));
    expect(textsOf(await client.sendMessage(lapseOf({ lapse: kind, origin: held.id })))).toEqual(['It is moved.']);
    const { status } = await client.getTask({ tenant: '', id: held.id });
    const text = status?.message?.parts[0]?.content?.value;
    expect([status?.state, text]).toEqual([state, expect.stringMatching(`${why} .*expectation exp-${count}`)]);
    await until(() => ended.includes(held.id), 'the origin’s turn to be told');
    expect(textsOf(await client.sendMessage(lapseOf({ lapse: kind, origin: held.id })))).toEqual(['It is over.']);
    for (const origin of ['unknown', '\0', ''])
      expect(textsOf(await client.sendMessage(lapseOf({ lapse: kind, origin })))).toEqual(['It is unknown.']);
  });

  it('a question that waits, and work that is queued, are ended likewise', async () => {
    const asked = taskOf(await client.sendMessage(request('ask')));
    await client.sendMessage(lapseOf({ lapse: 'skipped', origin: asked.id }));
    expect((await client.getTask({ tenant: '', id: asked.id })).status?.state).toBe(TaskState.TASK_STATE_FAILED);
  });

  it('what is expected before and after queued work is carried, each by an artifact', async () => {
    const { id } = taskOf(await client.sendMessage(request('ship', { configuration: { returnImmediately: true } })));
    let task: Task | undefined;
    await until(async () => {
      task = await client.getTask({ tenant: '', id });
      return task.status?.state === TaskState.TASK_STATE_COMPLETED;
    }, 'the work');
    expect(task?.artifacts.map((artifact) => blockOf(artifact)?.expectations?.[0]?.['subject'])).toEqual([
      { type: 'shipment', id: 'PA-1' },
      { type: 'shipment', id: 'PA-2' },
    ]);
    expect(textsOf(task as Task)).toEqual(['What this task expects.', 'Shipped: ["PA-1","by air"].']);
  });

  it('an answer of many artifacts has the block on its first, and each under an id of its own', async () => {
    const task = taskOf(await client.sendMessage(request('two')));
    expect(task.artifacts.map((artifact) => blockOf(artifact) !== undefined)).toEqual([true, false]);
    expect([textsOf(task), task.status?.message?.parts[0]?.content?.value]).toEqual([['one', 'two'], 'Done.']);
  });

  it('the card declares what the kinds table says, and the schemas are served at the path of the URI', async () => {
    const card = (await (
      await fetch(`${agent.url}/.well-known/agent-card.json`, { headers: { 'A2A-Version': '1.0' } })
    ).json()) as {
      readonly capabilities: { readonly extensions: readonly object[] };
    };
    // A flag that is false is left out, as A2A's JSON has it.
    const { required: _, ...declared } = desk.extension;
    expect(card.capabilities.extensions).toEqual([declared]);
    const at = `${agent.url}${new URL(EXTENSION_URI).pathname}/extension.json`;
    const schemas = await fetch(at);
    expect([schemas.status, await schemas.json()]).toMatchObject([200, { uri: EXTENSION_URI }]);
    const known = await fetch(at, { headers: { 'If-None-Match': schemas.headers.get('etag') ?? '' } });
    expect([known.status, (await fetch(`${at}/more`)).status, (await fetch(at, { method: 'POST' })).status]).toEqual([
      304, 404, 404,
    ]);
  });
});
