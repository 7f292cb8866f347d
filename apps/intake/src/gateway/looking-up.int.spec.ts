// What the gateway does where the log is away, or where whoever forwarded a message is.
import { Global, Module } from '@nestjs/common';
import { GatewayRig, until } from '#testing';
import { IntakeModule } from '../intake.module.ts';
import { GATEWAY_LIMITS, gatewayLimits } from './gateway-limits.ts';

const limits = { provide: GATEWAY_LIMITS, useValue: { ...gatewayLimits, lookUpEveryMs: 50 } };

@Global()
@Module({ providers: [limits], exports: [limits] })
class QuickModule {}

describe('what cannot be watched at once', () => {
  let rig: GatewayRig;

  beforeAll(async () => {
    rig = await GatewayRig.start([QuickModule, IntakeModule]);
  });

  afterEach(async () => {
    rig.restore();
    // The gate is shut for a moment after a failed append.
    await until(async () => (await rig.send('say')).status === 200);
  });

  afterAll(() => rig.close());

  /** A send that its process did not live to end. */
  const noteLost = (messageId: string, over: { contextId?: string; tries?: number } = {}): Promise<unknown> =>
    rig.edge.database.query(
      `INSERT INTO duewatch_edge.forwarded_send
         (tenant, agent_id, message_id, context_id, interface_path, is_activated, look_at, tries_count)
       VALUES ('acme', 'booking', $1, $2, 'jsonrpc/1.0', true, now(), $3)`,
      [messageId, over.contextId ?? null, over.tries ?? 0],
    );

  const outcomeOf = async (messageId: string): Promise<unknown> => (await rig.noteOf(messageId))?.['outcome'];

  it('is refused where it is new work; what only reads passes', async () => {
    const { id } = await rig.taskOf('complete before-1');
    const sentCount = (text: string) => rig.agent.requests.filter(({ body }) => body.includes(text)).length;
    rig.takeLogAway('', { reads: true });
    // What was known of the log a second ago is forgotten by a failed append.
    await until(async () => (await rig.send('complete refused-1')).status === 503);
    const refused = await rig.send('complete refused-2');
    expect(refused).toMatchObject({
      status: 503,
      error: { code: -32603, message: expect.stringContaining('log'), data: [{ reason: 'UNWATCHED' }] },
    });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(JSON.parse(refused.text).id).toBe(rig.requestId);
    expect([sentCount('refused-1'), sentCount('refused-2')]).toEqual([1, 0]);
    expect((await rig.getTask(id)).result).toMatchObject({ id });
  });

  it('is refused too where it cannot be noted', async () => {
    await rig.send('say');
    const sentCount = rig.agent.requests.length;
    const { database } = rig.edge;
    const query = database.query.bind(database);
    database.query = (statement: string, parameters?: unknown[]) =>
      statement.includes('INSERT INTO duewatch_edge.forwarded_send')
        ? Promise.reject(Object.assign(new Error('the server is shut down'), { code: '57P01' }))
        : query(statement, parameters);
    expect(await rig.send('say')).toMatchObject({ status: 503, error: { data: [{ reason: 'UNWATCHED' }] } });
    database.query = query;
    expect(rig.agent.requests).toHaveLength(sentCount);
  });

  it('passes where it was only read, and is looked up once the log is back', async () => {
    const id = await rig.sendDirectly('complete read-1');
    rig.takeLogAway();
    expect(JSON.stringify((await rig.getTask(id)).result)).toContain('read-1');
    expect(await rig.isTold('read-1')).toBe(false);
    rig.restore();
    await until(() => rig.isTold('read-1'), 'the look-up');
  });

  it('is kept back where it is the answer to a message, and looked up later', async () => {
    rig.takeLogAway('late-1');
    const answer = await rig.send('complete late-1', { contextId: 'of-late-1' });
    const { messageId } = rig;
    expect(answer).toMatchObject({ status: 502, error: { data: [{ reason: 'ANSWER_UNRECORDED' }] } });
    expect(answer.text).not.toContain('late-1"');
    rig.restore();
    await until(async () => (await outcomeOf(messageId)) === 'found');
    expect(await rig.isTold('late-1')).toBe(true);
  });

  it('ends a stream with the reason where it is an event of one, and is looked up later', async () => {
    rig.takeLogAway('late-2');
    rig.agent.gates.open('g-late');
    const response = await rig.post(rig.envelope('SendStreamingMessage', 'steps g-late late-2'));
    const text = await response.text();
    expect(text).toMatch(/TASK_STATE_WORKING.*\n\nevent: error\ndata: \{"jsonrpc":"2.0","id":"r\d+","error":/);
    expect(text).not.toContain('"late-2"');
    rig.restore();
    rig.agent.gates.open('g-late-end');
    await until(() => rig.isTold('late-2'), 'the look-up');
  });

  it('is found by its message where whoever forwarded it has ended in the middle', async () => {
    await rig.sendDirectly('complete crash-1', { contextId: 'of-crash' });
    await noteLost(rig.messageId, { contextId: 'of-crash' });
    await until(() => rig.isTold('crash-1'), 'the look-up');
    await rig.sendDirectly('complete crash-2');
    await noteLost(rig.messageId);
    await until(() => rig.isTold('crash-2'), 'the look-up');
    await until(async () => (await outcomeOf(rig.messageId)) === 'found');
  });

  it('is reported as the answer that it was, where its agent has accepted it (§11)', async () => {
    const taskId = await rig.sendDirectly('ask crash-q');
    await rig.sendDirectly('complete crash-a', { taskId });
    await rig.edge.database.query(
      `INSERT INTO duewatch_edge.forwarded_send
         (tenant, agent_id, message_id, task_id, interface_path, is_activated, answer_reporter, look_at)
       VALUES ('acme', 'booking', $1, $2, 'jsonrpc/1.0', true, 'clerk', now())`,
      [rig.messageId, taskId],
    );
    await until(async () => (await outcomeOf(rig.messageId)) === 'found');
    const told = (await rig.told()).filter((input) => input['taskId'] === taskId);
    expect(told[0]).toMatchObject({ type: 'answerObserved', reporter: 'clerk' });
    expect(told.map(({ type }) => type)).toContain('statusObserved');
    const { id } = await rig.taskOf('ask crash-r');
    expect(await rig.noteOf(rig.messageId)).toMatchObject({ answer_reporter: null });
    await rig.send('complete crash-b', { taskId: id });
    expect(await rig.noteOf(rig.messageId)).toMatchObject({ task_id: id, answer_reporter: 'gateway' });
  });

  it('is not looked up while somebody forwards it', async () => {
    const waiting = rig.send('steps g-long long-1');
    const { messageId } = rig;
    await until(async () => (await rig.noteOf(messageId)) !== undefined);
    await noteLost('nobodys', { tries: 9 });
    await until(async () => (await outcomeOf('nobodys')) === 'unseen');
    expect(await rig.noteOf(messageId)).toMatchObject({ ended_at: null, tries_count: 0 });
    rig.agent.gates.open('g-long');
    rig.agent.gates.open('g-long-end');
    await waiting;
    await until(async () => (await outcomeOf(messageId)) === 'answered');
  });

  it('is looked up where its client has left the stream', async () => {
    const going = new AbortController();
    const response = await rig.post(rig.envelope('SendStreamingMessage', 'steps g-left left-1'), {}, going.signal);
    await response.body!.getReader().read();
    // Before the look-up, so that one is enough: the next is a minute later.
    rig.agent.gates.open('g-left');
    rig.agent.gates.open('g-left-end');
    going.abort();
    await until(() => rig.isTold('left-1'), 'the look-up');
  });

  it('is given up as unseen only after its last try', async () => {
    await noteLost('never-8', { tries: 8 });
    await noteLost('never-9', { tries: 9 });
    await until(async () => (await outcomeOf('never-9')) === 'unseen');
    await until(async () => (await rig.noteOf('never-8'))?.['tries_count'] === 9);
    expect(await outcomeOf('never-8')).toBeNull();
  });

  it('is asked for with the credential that is registered for the agent', async () => {
    const key = await rig.edge.key();
    const auth = { type: 'bearer', token: 'of-the-watcher' };
    const json = { cardUrl: rig.agent.url, auth };
    await rig.edge.call('PUT', '/v1/agents/booking', { key, json });
    await rig.send('say', {}, { Authorization: 'Bearer of-the-client' });
    expect(rig.agent.requests.at(-1)!.headers.authorization).toBe('Bearer of-the-client');
    await rig.send('say');
    expect(rig.agent.requests.at(-1)!.headers).not.toHaveProperty('authorization');
    await noteLost('asked-for', { tries: 9 });
    await until(async () => (await outcomeOf('asked-for')) === 'unseen');
    const asked = rig.agent.requests.filter(({ body }) => body.includes('ListTasks'));
    expect(asked.at(-1)!.headers.authorization).toBe('Bearer of-the-watcher');
  });
});
