// Reminders through the gateway, for an agent that knows none (reminders, *Towards a peer*).
import { Global, Module } from '@nestjs/common';
import { behindGateway, type EdgeApp, ScriptedAgent, startEdgeApp, toldOf, until } from '#testing';
import { IntakeModule } from '../../intake.module.ts';
import { GATEWAY_LIMITS, gatewayLimits } from '../gateway-limits.ts';

const limits = { provide: GATEWAY_LIMITS, useValue: { ...gatewayLimits, lookUpEveryMs: 50 } };

@Global()
@Module({ providers: [limits], exports: [limits] })
class QuickModule {}

type Json = Record<string, unknown>;

/** What stands below these names; undefined where nothing does. */
function inside(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce((inner, name) => (inner as Json | undefined)?.[name], value);
}

interface Answered {
  readonly status: number;
  readonly body: Json;
}

describe.each([
  ['JSONRPC', 'jsonrpc/1.0'],
  ['HTTP+JSON', 'rest/1.0'],
] as const)('an agent over %s that knows no reminders', (binding, path) => {
  let edge: EdgeApp;
  let agent: ScriptedAgent;
  let base: string;

  beforeAll(async () => {
    [edge, agent] = await Promise.all([startEdgeApp([QuickModule, IntakeModule]), ScriptedAgent.start({ binding })]);
    base = (await behindGateway(edge, agent, 'booking')) + path;
  });

  afterAll(() => Promise.all([edge.close(), agent.stop()]));

  let count = 0;

  async function post(below: string, body: object): Promise<Answered> {
    const headers = { 'content-type': 'application/json', 'A2A-Version': '1.0' };
    const response = await fetch(base + below, { method: 'POST', body: JSON.stringify(body), headers });
    return { status: response.status, body: (await response.json()) as Json };
  }

  async function call(method: string, below: string, params: object): Promise<Answered> {
    if (binding === 'HTTP+JSON') return post(below, params);
    const { status, body } = await post('', { jsonrpc: '2.0', id: 7, method, params });
    expect(body['id']).toBe(7);
    return { status, body: (body['result'] ?? body) as Json };
  }

  async function send(text: string, over: object = {}): Promise<Json> {
    count += 1;
    const message = { messageId: `m${count}`, role: 'ROLE_USER', parts: [{ text }], ...over };
    return (await call('SendMessage', '/message:send', { message })).body;
  }

  function stream(text: string, over: object = {}): Promise<Response> {
    count += 1;
    const params = { message: { messageId: `m${count}`, role: 'ROLE_USER', parts: [{ text }], ...over } };
    const rpc = { jsonrpc: '2.0', id: 7, method: 'SendStreamingMessage', params };
    const [below, body] = binding === 'JSONRPC' ? ['', rpc] : ['/message:stream', params];
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream', 'A2A-Version': '1.0' };
    return fetch(base + below, { method: 'POST', body: JSON.stringify(body), headers });
  }

  async function running(): Promise<string> {
    return inside(await send(`ask q${count}`), 'task', 'id') as string;
  }

  const inject = (taskId: string, reminder: unknown): Promise<Answered> =>
    call('InjectTaskReminder', `/tasks/${encodeURIComponent(taskId)}:injectReminder`, { taskId, reminder });

  /** The metadata of the message that the agent has received last. */
  function carried(): unknown {
    const body = JSON.parse(agent.requests.at(-1)!.body) as Json;
    return inside(body['params'] ?? body, 'message', 'metadata', 'harn', 'reminder');
  }

  const outcomes = async (taskId: string): Promise<readonly string[]> =>
    (await toldOf(edge, 'booking'))
      .filter((input) => input['type'] === 'reminderReported' && input['taskId'] === taskId)
      .map((input) => `${String(input['reminderId'])} ${String(input['outcome'])}`);

  function errorOf({ status, body }: Answered): { code: number; message: string } {
    const error = body['error'] as { code: number; message: string };
    if (binding === 'JSONRPC') expect(status).toBe(200);
    else expect(error.code).toBe(status);
    return error;
  }

  const code = (rpc: number, http: number): number => (binding === 'JSONRPC' ? rpc : http);

  it('has it carried by the task’s next message, and no other', async () => {
    const taskId = await running();
    const { body } = await inject(taskId, { id: 'r1', body: 'Rebase first.', tags: ['rebase'] });
    expect(body).toEqual({ reminderId: 'r1', dedupedCount: 0, acceptedAt: expect.stringMatching(/Z$/) });
    await send('ask again');
    expect(carried()).toBeUndefined();
    await send('ask more', { taskId, metadata: { other: 1, harn: { session: 's' } } });
    expect(carried()).toMatchObject({ id: 'r1', body: 'Rebase first.', tags: ['rebase'], mode: 'finish_step' });
    await send('ask yet more', { taskId });
    expect(carried()).toBeUndefined();
    expect(await outcomes(taskId)).toEqual(['r1 accepted', 'r1 carried']);
  });

  it('has several carried together, without those that newer ones displaced', async () => {
    const taskId = await running();
    await inject(taskId, { id: 'old', body: 'old', dedupeKey: 'k' });
    await inject(taskId, { id: 'other', body: 'other' });
    expect((await inject(taskId, { id: 'new', body: 'new', dedupeKey: 'k' })).body['dedupedCount']).toBe(1);
    await send('ask more', { taskId });
    expect(carried()).toMatchObject([{ id: 'other' }, { id: 'new' }]);
    const expected = [
      'old accepted',
      'other accepted',
      'new accepted',
      'old displaced',
      'other carried',
      'new carried',
    ];
    expect(await outcomes(taskId)).toEqual(expected);
  });

  it('is answered as before where the same comes again, and makes an id where there is none', async () => {
    const taskId = await running();
    const first = await inject(taskId, { id: 'r1', body: 'x' });
    await send('ask more', { taskId });
    expect(await inject(taskId, { id: 'r1', body: 'x' })).toEqual(first);
    expect((await inject(taskId, { body: 'x' })).body['reminderId']).toMatch(/^reminder-[0-9a-f-]{36}$/);
    expect(errorOf(await inject(taskId, { id: 'r1', body: 'y' })).code).toBe(code(-32602, 400));
  });

  it('is carried again where the agent did not take the message', async () => {
    const taskId = await running();
    await inject(taskId, { id: 'r1', body: 'x' });
    agent.answers.push(
      (_, response) =>
        void response.status(400).json({ jsonrpc: '2.0', id: 7, error: { code: -32602, message: 'no' } }),
    );
    await send('ask more', { taskId });
    expect(carried()).toMatchObject({ id: 'r1' });
    await send('ask more', { taskId });
    expect(carried()).toMatchObject({ id: 'r1' });
    expect(await outcomes(taskId)).toEqual(['r1 accepted', 'r1 carried']);
  });

  it('is suppressed where the task ends before a message comes', async () => {
    const taskId = await running();
    await inject(taskId, { id: 'r1', body: 'x' });
    await call('CancelTask', `/tasks/${taskId}:cancel`, { id: taskId });
    await until(async () => (await outcomes(taskId)).length === 2);
    expect(await outcomes(taskId)).toEqual(['r1 accepted', 'r1 suppressed']);
    const error = errorOf(await inject(taskId, { id: 'r2', body: 'x' }));
    expect(error).toMatchObject({ code: code(-32602, 400), message: expect.stringContaining('ended') });
  });

  it('is suppressed where the task ends where nobody looks', async () => {
    const taskId = await running();
    await inject(taskId, { id: 'r1', body: 'x' });
    const method = { jsonrpc: '2.0', id: 1, method: 'CancelTask', params: { id: taskId } };
    const [url, body] = binding === 'JSONRPC' ? ['/rpc', method] : [`/rest/tasks/${taskId}:cancel`, {}];
    const headers = { 'content-type': 'application/json', 'A2A-Version': '1.0' };
    await (await fetch(agent.url + url, { method: 'POST', headers, body: JSON.stringify(body) })).text();
    await edge.database.query('UPDATE duewatch_edge.kept_reminders SET look_at = now() WHERE task_id = $1', [taskId]);
    await until(async () => (await outcomes(taskId)).includes('r1 suppressed'));
  });

  it('is carried by a message whose answer is a stream, and suppressed by a stream’s end', async () => {
    const taskId = await running();
    await inject(taskId, { id: 'r1', body: 'x' });
    const streamed = await stream('ask more', { taskId });
    await streamed.text();
    expect(carried()).toMatchObject({ id: 'r1' });
    expect(await outcomes(taskId)).toEqual(['r1 accepted', 'r1 carried']);

    const gate = `g${count}`;
    const response = await stream(`steps ${gate}`);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const first = String((await reader.read()).value);
    const begun = /"id": ?"([0-9a-f-]{36})"/.exec(first)?.[1] ?? '';
    await inject(begun, { id: 'r2', body: 'x' });
    agent.gates.open(gate);
    agent.gates.open(`${gate}-end`);
    while (!(await reader.read()).done);
    await until(async () => (await outcomes(begun)).includes('r2 suppressed'));
  });

  it('is -32001 of a task that the agent does not show', async () => {
    expect(errorOf(await inject('no such task', { body: 'x' }))).toMatchObject({
      code: code(-32001, 404),
      message: expect.stringContaining('no such task'),
    });
  });

  it('is -32602 with the field named where it is malformed, and the agent is not asked', async () => {
    const asked = agent.requests.length;
    const error = errorOf(await inject('any', { body: 'x', propagate: 'REMINDER_PROPAGATION_ALL' }));
    expect(error).toMatchObject({
      code: code(-32602, 400),
      message: expect.stringContaining('reminder.propagate'),
      [binding === 'JSONRPC' ? 'data' : 'details']: [{ fieldViolations: [{ field: 'reminder.propagate' }] }],
    });
    expect(agent.requests).toHaveLength(asked);
  });

  it('passes on what else the agent says, such as that the client may not', async () => {
    agent.answers.push((_, response) => void response.status(401).json({ error: { message: 'who are you?' } }));
    const headers = { 'content-type': 'application/json', 'A2A-Version': '1.0' };
    const params = { taskId: 't', reminder: { body: 'x' } };
    const [below, body] =
      binding === 'JSONRPC'
        ? ['', { jsonrpc: '2.0', id: 1, method: 'InjectTaskReminder', params }]
        : ['/tasks/t:injectReminder', params];
    const answer = await fetch(base + below, { method: 'POST', headers, body: JSON.stringify(body) });
    expect([answer.status, await answer.json()]).toEqual([401, { error: { message: 'who are you?' } }]);
  });
});
