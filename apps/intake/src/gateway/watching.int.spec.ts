// What the gateway tells the log, and when, while the log is there.
import { Module } from '@nestjs/common';
import { MetricsModule } from '#runtime';
import { GatewayRig, parsePrometheusText, sampleValue, until } from '#testing';
import { IntakeModule } from '../intake.module.ts';
import { GatewayMetrics } from './gateway-metrics.ts';

const URI = 'https://rsaxb.com/a2a/expectations/v1';

const metrics = MetricsModule.register({
  imports: [IntakeModule],
  inject: [GatewayMetrics],
  useFactory: (source: GatewayMetrics) => [source],
});

@Module({ imports: [IntakeModule, metrics] })
class MeasuredModule {}

describe('what passes the gateway', () => {
  let rig: GatewayRig;

  beforeAll(async () => {
    rig = await GatewayRig.start([MeasuredModule]);
  });

  afterEach(() => rig.restore());

  afterAll(() => rig.close());

  const sample = async (name: string, labels: Record<string, string> = {}): Promise<number> => {
    const text = await (await fetch(`${rig.edge.url}/metrics`)).text();
    return sampleValue(parsePrometheusText(text), name, labels) ?? 0;
  };

  it('is passed byte for byte, whatever is in it that is not known here', async () => {
    const status = '"status":{"state":"TASK_STATE_WORKING"}';
    const odd = `{ "jsonrpc":"2.0","id":7 , "result":{"task":{"id":"t","contextId":"c",${status},"x":1.0,"é":"\\u00e9"}}}\n`;
    rig.agent.answers.push((_, response) => void response.type('application/json').set('X-Own', 'a').send(odd));
    const body = `{"jsonrpc":"2.0","id":7,"method":"SendMessage","params":{"message":{"messageId":"odd","x-new":[1.0]}}} `;
    const response = await rig.post(body, { Authorization: 'Bearer of-the-client', 'X-Trace': 'a, b' });
    expect(await response.text()).toBe(odd);
    expect(response.headers.get('x-own')).toBe('a');
    expect(rig.agent.requests.at(-1)).toMatchObject({
      body,
      headers: { authorization: 'Bearer of-the-client', 'x-trace': 'a, b', 'a2a-extensions': URI },
    });
  });

  it('keeps what the client activates by itself, and activates the extension besides (§7)', async () => {
    await rig.send('say', {}, { 'A2A-Extensions': 'https://a.example/x, https://b.example/y' });
    const { headers } = rig.agent.requests.at(-1)!;
    expect(headers['a2a-extensions']).toBe(`https://a.example/x, https://b.example/y, ${URI}`);
    expect(headers).not.toHaveProperty('x-a2a-extensions');
  });

  it('is taken with and without a slash at the interface’s end', async () => {
    const body = rig.envelope('SendMessage', 'say');
    const headers = { 'content-type': 'application/json', 'A2A-Version': '1.0' };
    const answer = await fetch(`${rig.base}jsonrpc/1.0/`, { method: 'POST', body, headers });
    expect(await answer.json()).toMatchObject({ result: { message: {} } });
    expect(rig.agent.requests.at(-1)!.url).toBe('/rpc');
  });

  it('is no way past the gateway where it is the extended card', async () => {
    const { supportedInterfaces } = rig.agent.card;
    const other = { url: 'https://elsewhere.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
    const result = { name: 'More', supportedInterfaces: [...(supportedInterfaces as object[]), other], 'x-new': 1 };
    rig.agent.answers.push((_, response) => {
      response.set('Cache-Control', 'public, max-age=60').json({ jsonrpc: '2.0', id: 1, result });
    });
    const answer = await rig.call(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetExtendedAgentCard' }));
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.result).toEqual({
      ...{ name: 'More', 'x-new': 1 },
      supportedInterfaces: [{ ...(supportedInterfaces as object[])[0], url: `${rig.base}jsonrpc/1.0` }],
    });
  });

  it('waits for the log where it carries a block, and holds up nobody else', async () => {
    const release = rig.hold('held-1');
    let isAnswered = false;
    const held = rig.send('complete held-1').finally(() => (isAnswered = true));
    await until(() => rig.agent.requests.at(-1)!.body.includes('held-1'));
    expect((await rig.send('complete passing-1')).result!['task']).toMatchObject({ artifacts: [{}] });
    expect((await rig.send('say')).result).toHaveProperty('message');
    expect(isAnswered).toBe(false);
    release();
    expect((await held).result!['task']).toMatchObject({ artifacts: [{}] });
  });

  it('passes in a stream as soon as it is there, but for the event that the log must have first', async () => {
    const release = rig.hold('held-2');
    const response = await rig.post(rig.envelope('SendStreamingMessage', 'steps g-held held-2'));
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toContain('TASK_STATE_WORKING');
    rig.agent.gates.open('g-held');
    let isPassed = false;
    const next = reader.read().finally(() => (isPassed = true));
    await rig.send('say');
    expect(isPassed).toBe(false);
    release();
    expect((await next).value).toContain('held-2');
    rig.agent.gates.open('g-held-end');
    let rest = '';
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) rest += piece.value;
    expect(rest).toContain('TASK_STATE_COMPLETED');
  });

  it('is not the agent’s word where the agent gives back what its client has written', async () => {
    const params = {
      id: 'forged-task',
      contextId: 'c',
      status: { state: 'TASK_STATE_COMPLETED' },
      metadata: { [URI]: {} },
    };
    const configured = (method: string) => {
      rig.agent.answers.push((_, response) => void response.json({ jsonrpc: '2.0', id: 1, result: params }));
      return rig.call(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    };
    expect((await configured('tasks/pushNotificationConfig/set')).result).toEqual(params);
    expect(await rig.isTold('forged-task')).toBe(false);
    await configured('GetTask');
    expect(await rig.isTold('forged-task')).toBe(true);
  });

  it('is not told again where nothing is new', async () => {
    const { id } = await rig.taskOf('complete again-1');
    const before = await rig.told();
    expect((await rig.getTask(id)).result).toMatchObject({ id });
    expect(await rig.told()).toEqual(before);
  });

  it('is watched to its end although its client has gone', async () => {
    const going = new AbortController();
    const waiting = rig.post(rig.envelope('SendMessage', 'steps g-gone gone-1'), {}, going.signal);
    await until(() => rig.agent.requests.at(-1)!.body.includes('gone-1'));
    going.abort();
    await expect(waiting).rejects.toThrow('abort');
    rig.agent.gates.open('g-gone');
    rig.agent.gates.open('g-gone-end');
    await until(() => rig.isTold('gone-1'));
  });

  it('that the agent does not say it has activated is counted and shown with it, and passes (N27)', async () => {
    const before = await sample('duewatch_gateway_echoes_missing_total');
    const result = { message: { messageId: 'a', role: 'ROLE_AGENT', parts: [] } };
    rig.agent.answers.push((_, response) => void response.json({ jsonrpc: '2.0', id: 1, result }));
    expect((await rig.send('say')).status).toBe(200);
    expect(await sample('duewatch_gateway_echoes_missing_total')).toBe(before + 1);
    await rig.send('say');
    expect(await sample('duewatch_gateway_echoes_missing_total')).toBe(before + 1);
    const key = await rig.edge.key();
    const url = `${rig.agent.url}/rpc`;
    const echoMissing = { lastSeenAt: expect.stringMatching(/Z$/) as string, interface: 'jsonrpc/1.0', url };
    await until(async () => {
      const { body } = await rig.edge.call('GET', '/v1/agents/booking', { key });
      return (body as { readonly trouble?: object }).trouble !== undefined;
    });
    const { body } = await rig.edge.call('GET', '/v1/agents/booking', { key });
    expect(body).toMatchObject({ trouble: { echoMissing } });
  });

  it('does not answer a question by a state from before it, which is asked for again (§11)', async () => {
    const ids = { contextId: 'c', taskId: 'ordered' };
    const shown = (status: object) => ({ jsonrpc: '2.0', id: 1, result: { id: 'ordered', contextId: 'c', status } });
    let answer = (): void => undefined;
    rig.agent.answers.push((_, response) => {
      answer = () => void response.json(shown({ state: 'TASK_STATE_WORKING' }));
    });
    const late = rig.getTask('ordered');
    await until(() => rig.agent.answers.length === 0);
    const question = { subject: { type: 'task', id: 'ordered' }, expectationId: 'q-ordered' };
    const message = {
      messageId: 'asks',
      role: 'ROLE_AGENT',
      ...ids,
      metadata: { [URI]: { expectations: [question] } },
    };
    rig.agent.answers.push((_, response) => void response.json(shown({ state: 'TASK_STATE_INPUT_REQUIRED', message })));
    await rig.getTask('ordered');
    answer();
    expect((await late).result).toMatchObject({ status: { state: 'TASK_STATE_WORKING' } });
    const told = (await rig.told()).filter(({ taskId }) => taskId === 'ordered');
    expect(told.map(({ state }) => state)).toEqual(['TASK_STATE_INPUT_REQUIRED']);
    const notes: unknown[] = await rig.edge.database.query(
      `SELECT message_id FROM duewatch_edge.forwarded_send WHERE task_id = 'ordered'`,
    );
    expect(notes).toEqual([{ message_id: null }]);
  });

  it('is counted, with no name in it that a client may choose', async () => {
    const labels = { binding: 'jsonrpc', operation: 'send', outcome: '2xx' };
    const before = await sample('duewatch_gateway_answers_total', labels);
    await rig.send('say');
    expect(await sample('duewatch_gateway_answers_total', labels)).toBe(before + 1);
  });
});
