// What a client says through the gateway: answers to questions (§11), and its own facts (§9.2).
import { decodeLedger, partitionOf } from '#event-log';
import { GatewayRig, until } from '#testing';
import { IntakeModule } from '../intake.module.ts';

const URI = 'https://rsaxb.com/a2a/expectations/v1';

describe('through the gateway', () => {
  let rig: GatewayRig;

  beforeAll(async () => {
    rig = await GatewayRig.start([IntakeModule]);
  });

  afterEach(() => rig.restore());

  afterAll(() => rig.close());

  /** Who satisfied the expectation, as it was decided; undefined while nobody has. */
  async function sourceOf(expectationId: string): Promise<unknown> {
    const partition = partitionOf('acme', rig.edge.log.partitionCount);
    const records = await rig.edge.log.read('ledger', partition, { from: 0, limit: 10_000 });
    const events = records.flatMap(
      ({ value }) => (decodeLedger(value) as { readonly events?: readonly Record<string, unknown>[] }).events ?? [],
    );
    return events.find(
      (event) => event['type'] === 'expectationSatisfied' && event['expectationId'] === expectationId,
    )?.['source'];
  }

  describe('an answer to a question', () => {
    const answersOf = async (taskId: string) =>
      (await rig.told()).filter((input) => input['taskId'] === taskId && input['type'] === 'answerObserved');

    it('is reported once the agent has accepted it', async () => {
      const { id: taskId, contextId } = await rig.taskOf('ask q1');
      await rig.send('answer', { taskId, contextId });
      expect((await rig.told()).filter((input) => input['taskId'] === taskId).slice(-2)).toMatchObject([
        { type: 'answerObserved', taskId, reporter: 'gateway' },
        { type: 'statusObserved', state: 'TASK_STATE_COMPLETED' },
      ]);
      await until(async () => (await sourceOf('q1')) === 'gateway');
    });

    it('answers nothing that the agent asks in accepting it, though that is known already', async () => {
      const { id: taskId, contextId } = await rig.taskOf('ask first');
      await rig.send('ask next', { taskId, contextId });
      const [answered] = await answersOf(taskId);
      expect(answered).toMatchObject({ reporter: 'gateway', except: ['next'] });
      await until(async () => (await sourceOf('first')) === 'gateway');
      expect(await sourceOf('next')).toBeUndefined();
    });

    it('is reported with the first event of a stream, in the name of the client where it says who it is', async () => {
      const { id: taskId, contextId } = await rig.taskOf('ask q2');
      const key = await rig.edge.key({ name: 'desk', scopes: ['read'] });
      const body = rig.envelope('SendStreamingMessage', 'answer', { taskId, contextId });
      await (await rig.post(body, { 'Duewatch-Key': key })).text();
      await until(async () => (await sourceOf('q2')) === 'desk');
      expect(await answersOf(taskId)).toHaveLength(1);
    });

    let openCount = 0;
    const no = (code: number) => (id: unknown) => ({ jsonrpc: '2.0', id, error: { code, message: 'no' } });
    const other = { id: 'other', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
    const rejected = (id: string) => ({ id, contextId: 'c', status: { state: 'TASK_STATE_REJECTED' } });

    it.each<[string, string, number, (id: unknown, taskId: string) => unknown]>([
      ['with an error of JSON-RPC', 'SendMessage', 200, no(-32004)],
      ['with an error of its own', 'SendMessage', 500, () => ({ message: 'no' })],
      ['with an error of the client', 'SendMessage', 403, () => ({ message: 'no' })],
      ['instead of streaming', 'SendStreamingMessage', 200, no(-32602)],
      ['by making another task', 'SendMessage', 200, (id) => ({ jsonrpc: '2.0', id, result: { task: other } })],
      [
        ...(['by a message that names no task', 'SendMessage', 200] as const),
        (id) => ({ jsonrpc: '2.0', id, result: { message: { messageId: 'a', role: 'ROLE_AGENT', parts: [] } } }),
      ],
      ['by garbage', 'SendMessage', 200, () => 'what?'],
    ])('that the agent rejects %s leaves its question open', async (_, method, status, answer) => {
      openCount += 1;
      const { id: taskId, contextId } = await rig.taskOf(`ask open-${openCount}`);
      rig.agent.answers.push((request, response) => {
        response.status(status).json(answer((request.body as { readonly id: unknown }).id, taskId));
      });
      await (await rig.post(rig.envelope(method, 'answer', { taskId, contextId }))).text();
      expect(await answersOf(taskId)).toEqual([]);
      // It is open still: the next answer, which is accepted, satisfies it.
      await rig.send('answer', { taskId, contextId });
      expect(await answersOf(taskId)).toHaveLength(1);
      await until(async () => (await sourceOf(`open-${openCount}`)) === 'gateway');
    });

    it('that is rejected in the first event of a stream leaves its question open', async () => {
      const { id: taskId, contextId } = await rig.taskOf('ask q4');
      rig.agent.answers.push((request, response) => {
        const error = no(-32603)((request.body as { readonly id: unknown }).id);
        response.type('text/event-stream').send(`: hello\n\ndata: ${JSON.stringify(error)}\n\n`);
      });
      await (await rig.post(rig.envelope('SendStreamingMessage', 'answer', { taskId, contextId }))).text();
      expect(await answersOf(taskId)).toEqual([]);
    });

    it('to a task that only the gateway reads in it is none where the agent has not read it', async () => {
      const { id: taskId } = await rig.taskOf('ask q6');
      // As the SDK of 0.3, which knows no task_id, answers it: as a message of its own.
      rig.agent.answers.push((request, response) => {
        const { id } = request.body as { readonly id: unknown };
        const message = { kind: 'message', messageId: 'a', role: 'agent', parts: [] };
        response.json({ jsonrpc: '2.0', id, result: message });
      });
      await rig.send('say', { task_id: taskId });
      expect(await answersOf(taskId)).toEqual([]);
    });

    it('is reported where the agent accepts it by a message that names the task', async () => {
      const { id: taskId } = await rig.taskOf('ask q7');
      rig.agent.answers.push((request, response) => {
        const { id } = request.body as { readonly id: unknown };
        const message = { messageId: 'a', role: 'ROLE_AGENT', parts: [], taskId };
        response.json({ jsonrpc: '2.0', id, result: { message } });
      });
      await rig.send('say', { taskId });
      expect(await answersOf(taskId)).toHaveLength(1);
    });

    it('to which the agent rejects the task is no answer', async () => {
      const { id: taskId, contextId } = await rig.taskOf('ask q5');
      rig.agent.answers.push((request, response) => {
        const { id } = request.body as { readonly id: unknown };
        response.json({ jsonrpc: '2.0', id, result: { task: rejected(taskId) } });
      });
      await rig.send('answer', { taskId, contextId });
      expect(await answersOf(taskId)).toEqual([]);
    });
  });

  describe('a client’s own facts', () => {
    const carrying = (factKey: string, over: Record<string, unknown> = {}) => ({
      metadata: { [URI]: { facts: [{ factKey, observedAt: new Date().toISOString() }] } },
      ...over,
    });

    it('count with a key that may report them, which the agent does not see', async () => {
      const key = await rig.edge.key({ name: 'carrier', scopes: ['facts'] });
      await rig.send('complete e-fact');
      const sent = await rig.send('say', carrying('departed:e-fact'), { 'Duewatch-Key': key });
      expect(sent.status).toBe(200);
      expect(rig.agent.requests.at(-1)!.headers).not.toHaveProperty('duewatch-key');
      expect(JSON.stringify(rig.agent.requests.at(-1))).not.toContain(key);
      await until(async () => (await sourceOf('e-fact')) === 'carrier');
    });

    it('do not count without a key, or with one that may not report any', async () => {
      const key = await rig.edge.key({ scopes: ['read'] });
      expect((await rig.send('say', carrying('fact-2'))).status).toBe(200);
      expect((await rig.send('say', carrying('fact-3'), { 'Duewatch-Key': key })).status).toBe(200);
      expect(await rig.isTold('fact-2')).toBe(false);
      expect(await rig.isTold('fact-3')).toBe(false);
    });

    it('do not become the agent’s by what the client calls itself', async () => {
      const key = await rig.edge.key({ scopes: ['facts'] });
      await rig.send('say', carrying('fact-4', { role: 'ROLE_AGENT' }), { 'Duewatch-Key': key });
      expect(await rig.isTold('fact-4')).toBe(false);
    });

    it('are refused with a key that is none of the tenant’s, and so is the message', async () => {
      const stranger = await rig.edge.key({ tenant: 'globex', scopes: ['facts'] });
      const requestCount = rig.agent.requests.length;
      for (const key of [stranger, 'dw_none']) {
        expect(await rig.send('say', carrying('fact-5'), { 'Duewatch-Key': key })).toMatchObject({
          status: 401,
          error: { code: -32600, data: [{ reason: 'UNAUTHENTICATED' }] },
        });
      }
      expect(rig.agent.requests).toHaveLength(requestCount);
      expect(await rig.isTold('fact-5')).toBe(false);
    });

    it('are not lost where the log does not take them: the message is not sent', async () => {
      const key = await rig.edge.key({ name: 'carrier', scopes: ['facts'] });
      const requestCount = rig.agent.requests.length;
      rig.takeLogAway('fact-6');
      expect(await rig.send('say', carrying('fact-6'), { 'Duewatch-Key': key })).toMatchObject({ status: 503 });
      expect(rig.agent.requests).toHaveLength(requestCount);
      const { messageId } = rig;
      await until(async () => (await rig.noteOf(messageId))?.['outcome'] === 'unsent');
    });
  });
});
