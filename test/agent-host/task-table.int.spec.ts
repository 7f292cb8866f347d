// "Understand when a Task exists": its five rows, over both bindings and both versions of the protocol, by the A2A
// project's own client.
import { type Task, TaskState } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { until } from '#testing';
import { obedientAgent, Strings } from './obedient-agent.ts';
import { all, isMessage, kindsOf, request, ServedAgent, textsOf, type Way, ways } from './served-agent.ts';

const {
  TASK_STATE_COMPLETED: completed,
  TASK_STATE_WORKING: working,
  TASK_STATE_INPUT_REQUIRED: inputRequired,
} = TaskState;

describe.each(ways)('over %s of %s', (...way: [...Way]) => {
  const strings = new Strings();
  let agent: ServedAgent;
  let client: Client;
  beforeAll(async () => {
    agent = await ServedAgent.start(obedientAgent(strings));
    client = await agent.client(way);
  });
  afterAll(() => agent.close());
  beforeEach(() => (strings.isOpen = false));

  const task = async (id: string): Promise<Task> => client.getTask({ tenant: '', id });
  const ended = async (id: string): Promise<Task> => {
    await until(async () => (await task(id)).status?.state === completed, 'the task');
    return task(id);
  };

  it('a blocking request that finishes directly is a Message', async () => {
    const answer = await client.sendMessage(request('say hello', { contextId: 'my-context' }));
    expect([isMessage(answer), answer.contextId, textsOf(answer)]).toEqual([true, 'my-context', ['hello']]);
  });

  it('a streaming request is a tracked Task and its updates', async () => {
    const events = await all(client.sendMessageStream(request('say hello')));
    const [first] = events;
    const id = first?.payload?.$case === 'task' ? first.payload.value.id : '';
    expect(kindsOf(events)).toEqual(expect.arrayContaining(['task', 'artifact', `state ${completed}`]));
    expect(kindsOf(events).at(-1)).toBe(`state ${completed}`);
    expect(textsOf(await task(id))).toEqual(['hello']);
  });

  it('a request that is to be answered at once is a tracked Task', async () => {
    const answer = await client.sendMessage(request('hold done', { configuration: { returnImmediately: true } }));
    if (isMessage(answer)) throw new Error('it is a Message');
    expect((await task(answer.id)).status?.state).toBe(working);
    strings.isOpen = true;
    expect(textsOf(await ended(answer.id))).toEqual(['holding', 'done']);
  });

  it('what waits for a human or the client is a Task with input required, and goes on with the answer', async () => {
    const asked = await client.sendMessage(request('ask may I?'));
    if (isMessage(asked)) throw new Error('it is a Message');
    expect(asked.status?.state).toBe(inputRequired);
    const answer = await client.sendMessage(request('yes', { taskId: asked.id, contextId: asked.contextId }));
    expect([answer, textsOf(answer)]).toMatchObject([{ id: asked.id, status: { state: completed } }, ['you said yes']]);
  });

  it('what waits for queued work is a persisted Task, and goes on once the work is done', async () => {
    const waiting = await client.sendMessage(request('wait parcel'));
    if (isMessage(waiting)) throw new Error('it is a Message');
    expect(waiting.status?.state).toBe(working);
    strings.isOpen = true;
    expect(textsOf(await ended(waiting.id))).toEqual(['ship kept shipped']);
  });
});
