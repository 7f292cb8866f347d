// Two replicas of an agent on one store, each a process of its own: one is killed in the middle of what it does, and whoever
// follows is told the truth; nothing runs twice, as a third process counts.
import { type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { until } from '#testing';
import { AgentProcess } from './agent-process.ts';
import { CountingTool } from './counting-tool.ts';
import { clientOf, isMessage, kindsOf, request, textsOf } from './served-agent.ts';

const folder = new URL('./counting-agent', import.meta.url).pathname;

/** Where they keep what they have in common. */
export interface SharedPlace {
  /** What tells a process where it is. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export function describeReplicas(kind: 'postgres' | 'redis', open: () => Promise<SharedPlace>): void {
  describe(`two replicas on ${kind}`, () => describeThem(kind, open));
}

function describeThem(kind: 'postgres' | 'redis', open: () => Promise<SharedPlace>): void {
  const parameters = ['--tasks', kind, '--sessions', kind, '--work', kind, '--lease', '2'];

  let shared: SharedPlace;
  let tool: CountingTool;
  let replicas: [AgentProcess, AgentProcess];
  let a: Client;
  let b: Client;

  const startReplica = (): Promise<AgentProcess> =>
    AgentProcess.start(folder, parameters, { ...shared.environment, TOOL_URL: tool.url });
  const connect = async (): Promise<void> => {
    [a, b] = await Promise.all([
      clientOf(replicas[0].url, ['JSONRPC', '1.0']),
      clientOf(replicas[1].url, ['JSONRPC', '1.0']),
    ]);
  };

  beforeAll(async () => {
    shared = await open();
    tool = await new CountingTool().start();
    replicas = await Promise.all([startReplica(), startReplica()]);
  });
  beforeEach(async () => {
    replicas = (await Promise.all(replicas.map(async (replica) => (replica.isRunning ? replica : startReplica())))) as [
      AgentProcess,
      AgentProcess,
    ];
    await connect();
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await tool.close();
    await shared.close();
  });

  it('a task is followed, answered and canceled at another replica than runs it', async () => {
    const { id } = await sendAtOnce(a, 'shared');
    const following = follow(b, id);
    await until(() => following.events.length > 0 && tool.of('shared').length === 1, 'the run');
    tool.answer('shared');
    await following.ended;
    expect(kindsOf(following.events).at(-1)).toBe(`state ${TaskState.TASK_STATE_COMPLETED}`);
    expect(textsOf(await b.getTask({ tenant: '', id }))).toEqual(['begun', 'tooled']);

    const asked = await sendAtOnce(a, 'ask');
    const asks = async () => (await b.getTask({ tenant: '', id: asked.id })).status?.state;
    await until(async () => (await asks()) === TaskState.TASK_STATE_INPUT_REQUIRED, 'the question');
    const answered = await b.sendMessage(request('this', { taskId: asked.id }));
    expect(textsOf(answered)).toEqual(['you said this']);

    const held = await sendAtOnce(a, 'canceled');
    await until(() => tool.of('canceled').length === 1, 'the run');
    const canceled = await b.cancelTask({ tenant: '', id: held.id, metadata: {} });
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  });

  it('a task whose replica is killed has failed, for whoever follows it at the other and for good', async () => {
    const { id } = await sendAtOnce(a, 'killed');
    const following = follow(b, id);
    await until(() => following.events.length > 0 && tool.of('killed').length === 1, 'the run');
    await replicas[0].kill();
    await following.ended;
    expect(kindsOf(following.events).at(-1)).toBe(`state ${TaskState.TASK_STATE_FAILED}`);
    replicas[0] = await startReplica();
    await connect();
    const task = await a.getTask({ tenant: '', id });
    expect([task.status?.state, textsOf(task)]).toEqual([TaskState.TASK_STATE_FAILED, ['begun']]);
    expect(tool.of('killed')).toHaveLength(1);
  });

  it('work whose replica is killed is not done twice, and its task fails; else it goes on without doing a turn again', async () => {
    const { id } = await sendAtOnce(a, 'ship dead');
    await until(() => tool.of('ship ship dead').length === 1, 'the work');
    const [call] = tool.of('ship ship dead');
    const survivor = call?.pid === replicas[0].pid ? b : a;
    await replicas.find(({ pid }) => pid === call?.pid)?.kill();
    await until(
      async () => (await survivor.getTask({ tenant: '', id })).status?.state === TaskState.TASK_STATE_FAILED,
      'the end',
    );
    expect([tool.of('ship ship dead').length, tool.of('before ship dead').length]).toEqual([1, 1]);

    const { id: other } = await sendAtOnce(survivor, 'ship well');
    await until(() => tool.of('ship ship well').length === 1, 'the work');
    tool.answer('ship ship well');
    const state = async () => (await survivor.getTask({ tenant: '', id: other })).status?.state;
    await until(async () => (await state()) === TaskState.TASK_STATE_COMPLETED, 'the end');
    expect(textsOf(await survivor.getTask({ tenant: '', id: other }))).toEqual(['done: tooled']);
    expect([tool.of('ship ship well').length, tool.of('before ship well').length]).toEqual([1, 1]);
  });
}

async function sendAtOnce(client: Client, text: string): Promise<Task> {
  const answer = await client.sendMessage(request(text, { configuration: { returnImmediately: true } }));
  if (isMessage(answer)) throw new Error('it is a Message');
  return answer;
}

/** Follows it in the background; `events` grow. */
function follow(client: Client, id: string): { readonly events: StreamResponse[]; readonly ended: Promise<void> } {
  const events: StreamResponse[] = [];
  const ended = (async () => {
    for await (const event of client.resubscribeTask({ tenant: '', id })) events.push(event);
  })();
  return { events, ended };
}
