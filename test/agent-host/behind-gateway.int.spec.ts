// A client, Duewatch's gateway, and an agent that `duewatch serve` serves: what is expected is recorded, whatever passes
// passes, and reminders reach the agent by the road that its card says it takes.
import { type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import type { AgentHandler, Outcome } from '#agent-handler';
import { behindGateway, type EdgeApp, exampleCard, sdkClient, startEdgeApp, toldOf, until } from '#testing';
import { IntakeModule } from '../../apps/intake/src/intake.module.ts';
import { injectAt } from './inject.ts';
import { all, isMessage, request, ServedAgent, textsOf, type Way, ways } from './served-agent.ts';

const URI = 'https://rsaxb.com/a2a/expectations/v1';

interface SeenTurn {
  readonly text: string;
  readonly reminders: readonly string[];
  /** What came with the message that the host took for no reminder. */
  readonly carried: unknown;
}

const seen: SeenTurn[] = [];

function departureOf(expectationId: string) {
  return {
    ...{ expectationId, kind: 'shipment.departure', subject: { type: 'shipment', id: 'PA-1' } },
    ...{ expects: 'PA-1 departs', satisfiedBy: { factKey: `departed:${expectationId}` } },
    ...{ dueAt: '2099-01-01T00:00:00Z', basis: 'observed' },
  };
}

const handlerOf = (reminders: boolean): AgentHandler => ({
  ...{ extensions: [URI], reminders },
  handle: async (turn): Promise<Outcome | undefined> => {
    const { metadata, text } = turn.message;
    seen.push({ text, reminders: turn.reminders.map(({ body }) => body), carried: metadata['harn'] });
    const [word, expectationId = ''] = text.split(' ');
    if (word === 'later') return { outcome: 'inputRequired', message: 'which?' };
    if (word !== 'book') {
      await turn.say(`said ${text}`);
      return undefined;
    }
    // Never to a client that does not know the extension (§7).
    const block = { expectations: turn.extensions.includes(URI) ? [departureOf(expectationId)] : [] };
    await turn.artifact({ artifactId: 'booking', parts: [{ text: 'booked' }], metadata: { [URI]: block } });
    await turn.say('booked on PA-1');
    return undefined;
  },
});

let edge: EdgeApp;
beforeAll(async () => (edge = await startEdgeApp([IntakeModule])));
afterAll(() => edge.close());

describe.each(
  ways.flatMap((way) => [true, false].map((takes) => [...way, takes ? 'takes' : 'takes no', takes] as const)),
)('an agent that is served over %s of %s and %s reminders', (binding, version, _, takesReminders) => {
  const way: Way = [binding, version] as Way;
  const agentId = `${binding}-${version}-${String(takesReminders)}`;
  let agent: ServedAgent;
  let client: Client;
  let base: string;

  beforeAll(async () => {
    const { capabilities } = exampleCard() as { readonly capabilities: { readonly extensions: readonly object[] } };
    const [{ params }] = capabilities.extensions as [{ params: object }];
    const card = {
      skills: [{ id: 'handle_lapse', name: 'Handle a lapse', description: 'Answers for a lapse.', tags: ['lapse'] }],
      capabilities: {
        ...{ streaming: true, extensions: [{ uri: URI, params }] },
        ...(takesReminders && { reminders: { inject: true, emit: true } }),
      },
    };
    agent = await ServedAgent.start(handlerOf(takesReminders), { card, ways: [way] });
    base = await behindGateway(edge, agent, agentId);
    client = await sdkClient(base);
  });
  afterAll(() => agent.close());

  const told = async (taskId: string) => (await toldOf(edge, agentId)).filter((input) => input['taskId'] === taskId);

  const inject = (taskId: string, body: string) =>
    injectAt(`${base}${binding === 'JSONRPC' ? 'jsonrpc' : 'rest'}/${version}`, way, taskId, { id: body, body });

  it('answers, streams and is asked for tasks; what it expects is in the log before its client has it', async () => {
    expect(textsOf(await client.sendMessage(request('hello')))).toEqual(['said hello']);

    const task = (await client.sendMessage(request('book e1'))) as Task;
    expect(task.artifacts.map(({ artifactId }) => artifactId)).toEqual(['booking', 'answer']);
    const expected = { [URI]: { expectations: [{ expectationId: 'e1' }] } };
    expect(task.artifacts[0]).toMatchObject({ metadata: expected });
    expect(await told(task.id)).toContainEqual(
      expect.objectContaining({
        type: 'artifactObserved',
        artifact: expect.objectContaining({ artifactId: 'booking' }),
      }),
    );
    expect(await client.getTask({ tenant: '', id: task.id })).toMatchObject({
      id: task.id,
      artifacts: [{ metadata: expected }, {}],
    });

    const events = await all(client.sendMessageStream(request('book e2')));
    const cases = events.map(({ payload }: StreamResponse) => payload?.$case);
    expect([cases[0], cases.at(-1)]).toEqual(['task', 'statusUpdate']);
    const streamed = (events[0]?.payload?.value as Task).id;
    expect(JSON.stringify(await told(streamed))).toContain('"expectationId":"e2"');
  });

  it('has a reminder in its next turn, as it can be told', async () => {
    const task = await client.sendMessage(request('later'));
    const id = isMessage(task) ? '' : task.id;
    expect(await inject(id, 'rebase first')).toMatchObject({
      code: 0,
      result: { reminderId: 'rebase first', dedupedCount: 0 },
    });
    const text = `go on ${agentId}`;
    const done = await client.sendMessage(request(text, { taskId: id }));
    expect(done).toMatchObject({ status: { state: TaskState.TASK_STATE_COMPLETED } });
    const turn = seen.find((each) => each.text === text);
    const outcomes = async () =>
      (await told(id)).filter(({ type }) => type === 'reminderReported').map(({ outcome }) => outcome);
    if (takesReminders) {
      expect(turn).toMatchObject({ reminders: ['rebase first'], carried: undefined });
      expect(await outcomes()).toEqual([]);
      expect(await inject(id, 'too late')).toMatchObject({ message: expect.stringContaining('has ended') });
    } else {
      expect(turn).toMatchObject({ reminders: [], carried: { reminder: { body: 'rebase first' } } });
      await until(async () => (await outcomes()).length === 2, 'both reports');
      expect(await outcomes()).toEqual(['accepted', 'carried']);
    }
  });
});
