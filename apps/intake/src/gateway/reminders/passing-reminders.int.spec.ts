// Reminders through the gateway: agents of 0.3, agents that take them themselves, and a log that is away.
import { SendMessageRequest, type Task } from '@a2a-js/sdk';
import { REMINDERS_URI } from '#reminders';
import { behindGateway, type EdgeApp, GatewayRig, ScriptedAgent, sdkClient, startEdgeApp } from '#testing';
import { IntakeModule } from '../../intake.module.ts';

let edge: EdgeApp;
beforeAll(async () => void (edge = await startEdgeApp([IntakeModule])));
afterAll(() => edge.close());

let count = 0;
/** What is known of an agent is known for seconds. */
const newId = (): string => `agent-${(count += 1)}`;

it.each([
  ['JSONRPC', 'jsonrpc/0.3', ''],
  ['HTTP+JSON', 'rest/0.3', '/v1/tasks/TASK:injectReminder'],
] as const)('an agent of 0.3 over %s has them carried all the same', async (binding, path, below) => {
  const options = { binding, version: '0.3' } as const;
  const agent = await ScriptedAgent.start(options);
  const base = await behindGateway(edge, agent, newId());
  const client = await sdkClient(base);
  const send = (messageId: string, over: object = {}): Promise<unknown> => {
    const message = { messageId, role: 'ROLE_USER', parts: [{ text: `ask ${messageId}` }], ...over };
    return client.sendMessage(SendMessageRequest.fromJSON({ message }));
  };
  const taskId = ((await send('m1')) as Task).id;
  const params = { taskId, reminder: { id: 'r1', body: 'x' } };
  const body = below === '' ? { jsonrpc: '2.0', id: 7, method: 'InjectTaskReminder', params } : params;
  const url = base + path + below.replace('TASK', taskId);
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(await answer.text()).toContain('"reminderId":"r1"');
  await send('m2', { taskId });
  expect(agent.requests.at(-1)?.body).toContain('"harn":{"reminder":{"id":"r1"');
  await agent.stop();
});

describe('an agent whose card has reminders', () => {
  it.each([
    ['as a capability', { reminders: { inject: true } }],
    ['under _meta', { _meta: { harn: { reminders: { inject: true } } } }],
  ])('%s is asked itself, as the client asks', async (_, capabilities) => {
    const agent = await ScriptedAgent.start();
    agent.card = { ...agent.card, capabilities: { ...(agent.card['capabilities'] as object), ...capabilities } };
    const base = await behindGateway(edge, agent, newId());
    const result = { reminderId: 'r1', dedupedCount: 0, acceptedAt: '2026-09-01T00:00:00Z' };
    agent.answers.push((_request, response) => void response.json({ jsonrpc: '2.0', id: 1, result }));
    const body = '{"jsonrpc": "2.0", "id": 1, "method": "InjectTaskReminder", "params": {"anything": 1}}';
    const headers = { 'content-type': 'application/json', 'A2A-Version': '1.0' };
    const answer = await fetch(`${base}jsonrpc/1.0`, { method: 'POST', headers, body });
    expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 1, result });
    expect(agent.requests.at(-1)?.body).toBe(body);
    await agent.stop();
  });
});

it('what an agent streams of reminders passes as it comes, and the client’s extension reaches it', async () => {
  const agent = await ScriptedAgent.start();
  const base = await behindGateway(edge, agent, newId());
  const events = `data: {"jsonrpc":"2.0","id":1,"result":{"reminderUpdate":{"taskId":"t1","reminder":{"id":"r1"}}}}\n\n`;
  agent.answers.push((_, response) => void response.type('text/event-stream').send(events));
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id: 't1' } });
  const headers = { 'content-type': 'application/json', 'A2A-Version': '1.0', 'A2A-Extensions': REMINDERS_URI };
  const answer = await fetch(`${base}jsonrpc/1.0`, { method: 'POST', headers, body });
  expect(await answer.text()).toBe(events);
  expect(String(agent.requests.at(-1)?.headers['a2a-extensions'])).toContain(REMINDERS_URI);
  await agent.stop();
});

describe('while the log is away', () => {
  let rig: GatewayRig;
  beforeAll(async () => void (rig = await GatewayRig.start([IntakeModule])));
  afterAll(() => rig.close());

  it('nothing is kept, and the client is told', async () => {
    const { id: taskId } = await rig.taskOf('ask q1');
    const params = { taskId, reminder: { id: 'r1', body: 'x' } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'InjectTaskReminder', params });
    rig.takeLogAway('reminderReported');
    const { status, error } = await rig.call(body);
    expect([status, error?.['message']]).toEqual([503, expect.stringContaining('not kept')]);
    rig.restore();
    expect((await rig.call(body)).result).toMatchObject({ reminderId: 'r1' });
  });
});
