// The SDK's own client, unmodified, and an agent on the SDK's own request handler, with the gateway between them.
import { SendMessageRequest, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { behindGateway, type EdgeApp, ScriptedAgent, sdkClient, startEdgeApp, toldOf, until } from '#testing';
import { IntakeModule } from '../intake.module.ts';

const URI = 'https://rsaxb.com/a2a/expectations/v1';

function asking(text: string, over: Record<string, unknown> = {}): SendMessageRequest {
  const message = { messageId: `m-${text}`, role: 'ROLE_USER', parts: [{ text }], ...over };
  return SendMessageRequest.fromJSON({ message });
}

async function sent(client: Client, text: string, over: Record<string, unknown> = {}): Promise<Task> {
  return (await client.sendMessage(asking(text, over))) as Task;
}

const kinds = (events: readonly StreamResponse[]): (string | undefined)[] =>
  events.map((event) => event.payload?.$case);

describe.each([
  ['JSONRPC', '1.0'],
  ['HTTP+JSON', '1.0'],
  ['JSONRPC', '0.3'],
  ['HTTP+JSON', '0.3'],
] as const)('an agent over %s %s behind the gateway', (binding, version) => {
  let edge: EdgeApp;
  let agent: ScriptedAgent;
  let client: Client;
  let base: string;

  beforeAll(async () => {
    [edge, agent] = await Promise.all([startEdgeApp([IntakeModule]), ScriptedAgent.start({ binding, version })]);
    base = await behindGateway(edge, agent, 'sea/food');
    client = await sdkClient(base);
  });

  afterAll(() => Promise.all([edge.close(), agent.stop()]));

  const told = () => toldOf(edge, 'sea/food');

  it('does the work of a message, and what it expects is recorded', async () => {
    const task = await sent(client, 'complete e1');
    expect(task).toMatchObject({ status: { state: 3 }, artifacts: [{ metadata: { [URI]: expect.anything() } }] });
    const artifacts = (await told()).filter(({ type, taskId }) => type === 'artifactObserved' && taskId === task.id);
    expect(artifacts).toMatchObject([
      { artifact: { metadata: { [URI]: { expectations: [{ expectationId: 'e1' }] } } } },
    ]);
    expect(artifacts[0]).not.toHaveProperty('activated');
    const [last] = agent.requests.slice(-1);
    expect(last!.headers[version === '1.0' ? 'a2a-extensions' : 'x-a2a-extensions']).toBe(URI);
  });

  it('answers with a message', async () => {
    expect(await client.sendMessage(asking('say'))).toMatchObject({ messageId: expect.stringMatching(/^m-/) });
  });

  it('streams event by event, each passed before the next is made', async () => {
    const events = client.sendMessageStream(asking('steps g1 e2'));
    const seen: StreamResponse[] = [];
    const next = async (): Promise<StreamResponse> => {
      const { value } = await events.next();
      seen.push(value as StreamResponse);
      return value as StreamResponse;
    };
    const first = await next();
    const taskId = (first.payload as { value: Task }).value.id;
    agent.gates.open('g1');
    await next();
    agent.gates.open('g1-end');
    await next();
    expect((await events.next()).done).toBe(true);
    expect(kinds(seen)).toEqual(['task', 'artifactUpdate', 'statusUpdate']);
    expect((await told()).filter((input) => input['taskId'] === taskId)).toMatchObject([
      { type: 'statusObserved', state: 'TASK_STATE_WORKING' },
      { type: 'artifactObserved', artifact: { metadata: { [URI]: { expectations: [{ expectationId: 'e2' }] } } } },
      { type: 'statusObserved', state: 'TASK_STATE_COMPLETED' },
    ]);
  });

  it('is asked for a task, and told to cancel it', async () => {
    const stream = client.sendMessageStream(asking('work'));
    const first = ((await stream.next()).value as StreamResponse).payload as { value: Task };
    const { id } = first.value;
    expect(await client.getTask({ tenant: '', id, historyLength: 1 })).toMatchObject({ id, status: { state: 2 } });
    const canceled = await client.cancelTask({ tenant: '', id, metadata: undefined });
    expect(canceled).toMatchObject({ id, status: { state: 5 } });
    await stream.return(undefined);
    expect(await told()).toContainEqual(expect.objectContaining({ taskId: id, state: 'TASK_STATE_CANCELED' }));
  });

  it('is listened to by more than one', async () => {
    const stream = client.sendMessageStream(asking('steps g2 e3'));
    const { id } = (((await stream.next()).value as StreamResponse).payload as { value: Task }).value;
    const other = client.resubscribeTask({ tenant: '', id });
    expect(((await other.next()).value as StreamResponse).payload?.$case).toBe('task');
    const rest = (async () => {
      const events: StreamResponse[] = [];
      for await (const event of other) events.push(event);
      return kinds(events);
    })();
    agent.gates.open('g2');
    agent.gates.open('g2-end');
    for await (const _ of stream);
    expect(await rest).toEqual(['artifactUpdate', 'statusUpdate']);
  });

  it('says itself what it does not know', async () => {
    await expect(client.getTask({ tenant: '', id: 'nothing', historyLength: 0 })).rejects.toThrow(/not found/i);
  });

  if (version === '1.0') {
    it('lists its tasks', async () => {
      const task = await sent(client, 'complete', { contextId: 'listed' });
      const { tasks } = await client.listTasks({
        ...{
          tenant: '',
          contextId: 'listed',
          pageToken: '',
          status: TaskState.TASK_STATE_UNSPECIFIED,
          statusTimestampAfter: undefined,
        },
        includeArtifacts: true,
      });
      expect(tasks.map(({ id }) => id)).toEqual([task.id]);
    });
  }

  it('ends each note of a send once its answer is in the log', async () => {
    await until(async () => {
      const rows: unknown[] = await edge.database.query(
        `SELECT * FROM duewatch_edge.forwarded_send WHERE outcome IS DISTINCT FROM 'answered'`,
      );
      // The stream that its client has left is looked up, and its task was canceled.
      return rows.length <= 1;
    });
    const notes: unknown[] = await edge.database.query(
      `SELECT tenant, agent_id, message_id FROM duewatch_edge.forwarded_send ORDER BY number LIMIT 1`,
    );
    expect(notes).toEqual([{ tenant: 'acme', agent_id: 'sea/food', message_id: 'm-complete e1' }]);
  });
});
