// What an answer says of the agent's work, by what was asked.
import { readAnswer } from './answer.ts';
import type { Binding } from './gateway-interfaces.ts';
import { readOperation } from './operation.ts';

const task = (id: string) => ({ id, contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [] });

async function seenOf(binding: Binding, [method, below, body]: Asked, said: unknown, status = 200): Promise<unknown[]> {
  const operation = await readOperation({ tenant: 'acme', binding, method, below, body: Buffer.from(body) });
  const value = binding === 'rest' ? said : { jsonrpc: '2.0', id: 1, result: said };
  return [...readAnswer(value, { operation, via: { binding } }, status).seen];
}

type Asked = readonly [method: string, below: string, body: string];

const rpc = (method: string, params: unknown): Asked => ['POST', '', JSON.stringify({ id: 1, method, params })];

describe('an answer', () => {
  it.each<[string, Binding, Asked]>([
    ['SendMessage', 'jsonrpc', rpc('SendMessage', { message: {} })],
    ['message/stream', 'jsonrpc', rpc('message/stream', { message: {} })],
    ['GetTask', 'jsonrpc', rpc('GetTask', { id: 't' })],
    ['tasks/get', 'jsonrpc', rpc('tasks/get', { id: 't' })],
    ['CancelTask', 'jsonrpc', rpc('CancelTask', { id: 't' })],
    ['tasks/cancel', 'jsonrpc', rpc('tasks/cancel', { id: 't' })],
    ['SubscribeToTask', 'jsonrpc', rpc('SubscribeToTask', { id: 't' })],
    ['tasks/resubscribe', 'jsonrpc', rpc('tasks/resubscribe', { id: 't' })],
    ['a send by path', 'rest', ['POST', '/message:send', '{"message":{}}']],
    ['a send by path of 0.3', 'rest', ['POST', '/v1/message:stream', '{"message":{}}']],
    ['a task by path', 'rest', ['GET', '/tasks/t', '']],
    ['a task by path of a tenant', 'rest', ['GET', '/own/tasks/%74', '']],
    ['a task by path of 0.3', 'rest', ['GET', '/v1/tasks/t', '']],
    ['a cancellation by path', 'rest', ['POST', '/tasks/t:cancel', '{}']],
    ['a subscription by path', 'rest', ['POST', '/v1/tasks/t%3Asubscribe', '']],
    ['a subscription by path of 1.0', 'rest', ['GET', '/tasks/t:subscribe', '']],
  ])('to %s says what the task is', async (_, binding, asked) => {
    expect(await seenOf(binding, asked, task('t'))).toEqual([{ task: task('t') }]);
  });

  it.each<[string, Binding, Asked]>([
    ['ListTasks', 'jsonrpc', rpc('ListTasks', {})],
    ['a list by path', 'rest', ['GET', '/own/tasks', '']],
  ])('to %s says what all of them are', async (_, binding, asked) => {
    expect(await seenOf(binding, asked, { tasks: [task('t'), task('u')] })).toEqual([
      { task: task('t') },
      { task: task('u') },
    ]);
    expect(await seenOf(binding, asked, { message: { messageId: 'm', role: 'ROLE_AGENT' } })).toEqual([]);
  });

  it.each<[string, Binding, Asked]>([
    ['a push configuration that is made', 'jsonrpc', rpc('tasks/pushNotificationConfig/set', { id: 't' })],
    ['one that is made in 1.0', 'jsonrpc', rpc('CreateTaskPushNotificationConfig', { id: 't' })],
    ['one that is read', 'jsonrpc', rpc('tasks/pushNotificationConfig/get', { id: 't' })],
    ['what is no method of A2A', 'jsonrpc', rpc('echo', { id: 't' })],
    ['a card', 'jsonrpc', rpc('GetExtendedAgentCard', { id: 't' })],
    ['a task that no id names', 'jsonrpc', rpc('GetTask', {})],
    ['another task', 'jsonrpc', rpc('GetTask', { id: 'other' })],
    ['a subscription to another task', 'jsonrpc', rpc('SubscribeToTask', { id: 'other' })],
    ['another task by path', 'rest', ['GET', '/tasks/other', '']],
    ['a configuration by path', 'rest', ['POST', '/tasks/t/pushNotificationConfigs', '{}']],
    ['one that is read by path', 'rest', ['GET', '/tasks/t/pushNotificationConfigs/t', '']],
    ['one whose name is a path', 'rest', ['GET', '/x/tasks/x%2FpushNotificationConfigs%2Ft', '']],
    ['a path that only ends like a send', 'rest', ['POST', '/tasks/t/message:send', '{}']],
    ['a task that is written', 'rest', ['PUT', '/tasks/t', '{}']],
    ['any other path', 'rest', ['GET', '/echo', '']],
  ])('to %s is nobody’s work', async (_, binding, asked) => {
    for (const said of [task('t'), { task: task('t') }, { tasks: [task('t')] }]) {
      expect(await seenOf(binding, asked, said)).toEqual([]);
    }
  });

  it('that is an error says nothing of the work, whatever it repeats', async () => {
    expect(await seenOf('rest', ['POST', '/message:send', '{"message":{}}'], task('t'), 422)).toEqual([]);
  });
});
