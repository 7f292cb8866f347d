// A served agent whose turns are done by another served agent, called by its card.
import { ListTasksRequest, type Message, type Task, TaskState } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { delegated, expectations, passedOn, RemoteAgent } from '#agent-kit';
import { until } from '#testing';
import { obedientAgent, Strings } from './obedient-agent.ts';
import { isMessage, request, ServedAgent, textsOf } from './served-agent.ts';

const strings = new Strings();
const desk = expectations({ lapseSkill: 'test', kinds: {} });
let inner: ServedAgent;
let outer: ServedAgent;
let client: Client;
let innerClient: Client;

beforeAll(async () => {
  inner = await ServedAgent.start(obedientAgent(strings));
  // The card names the address at which the agent is known to the world.
  const called: typeof fetch = (input, init) =>
    fetch(String(input instanceof Request ? input.url : input).replace('https://agents.example', inner.url), init);
  const remote = new RemoteAgent('https://agents.example', { fetch: called });
  outer = await ServedAgent.start(
    desk.handler(
      async (_, turn) => passedOn(await delegated(turn, remote)),
      () => 'Nothing.',
    ),
  );
  client = await outer.client(['JSONRPC', '1.0']);
  innerClient = await inner.client(['JSONRPC', '1.0']);
});
afterAll(async () => {
  await outer.close();
  await inner.close();
});

async function send(text: string, options: Parameters<typeof request>[1] = {}): Promise<Message | Task> {
  return client.sendMessage(request(text, options));
}

const stateOf = (answer: Message | Task): TaskState | undefined =>
  isMessage(answer) ? undefined : answer.status?.state;

/** The other agent's tasks of a context, by what they come to. */
async function innerTasks(contextId: string): Promise<readonly (TaskState | undefined)[]> {
  const { tasks } = await innerClient.listTasks(ListTasksRequest.fromJSON({ contextId }));
  return tasks.map(({ status }) => status?.state);
}

it('answers with what the other has made of it', async () => {
  const answer = await send('say hello');
  expect(textsOf(answer)).toEqual(['hello']);
  expect(await innerTasks(answer.contextId)).toEqual([TaskState.TASK_STATE_COMPLETED]);
});

it('is refused, and fails, where the other is', async () => {
  expect(stateOf(await send('reject no'))).toBe(TaskState.TASK_STATE_REJECTED);
  expect(stateOf(await send('throw'))).toBe(TaskState.TASK_STATE_FAILED);
});

it.each(['ask', 'later'])('asks the caller what the other asks (%s), and the answer goes to its task', async (word) => {
  const asked = await send(`${word} where to?`);
  if (isMessage(asked)) throw new Error('it is a Message');
  expect([stateOf(asked), asked.status?.message?.parts[0]?.content?.value]).toEqual([
    TaskState.TASK_STATE_INPUT_REQUIRED,
    'where to?',
  ]);
  const answered = await send('say Doha', { taskId: asked.id });
  expect(textsOf(answered)).toEqual([word === 'ask' ? 'you said say Doha' : 'Doha']);
  expect(await innerTasks(asked.contextId)).toEqual([TaskState.TASK_STATE_COMPLETED]);
});

it.each(['hold never', 'ask where to?'])('cancels the other’s task where its own is canceled: %s', async (text) => {
  const contextId = `context of ${text}`;
  const answer = await send(text, { contextId, configuration: { returnImmediately: true } });
  if (isMessage(answer)) throw new Error('it is a Message');
  await until(async () => (await innerTasks(contextId)).length > 0, 'the other’s task');
  const canceled = await client.cancelTask({ tenant: '', id: answer.id, metadata: {} });
  expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  expect(await innerTasks(contextId)).toEqual([TaskState.TASK_STATE_CANCELED]);
});
