// Which requests ask for a reminder to be injected.
import { restInject, rpcInject } from './inject-request.ts';

it('of JSON-RPC the method by its name, and no other', () => {
  expect(rpcInject('InjectTaskReminder', { taskId: 't' })).toEqual({ params: { taskId: 't' } });
  expect(rpcInject('SendMessage', {})).toBeUndefined();
});

it.each([
  ['plain', '/tasks/t1:injectReminder', 't1', '/tasks/t1'],
  ['with its colon encoded', '/tasks/t1%3AinjectReminder', 't1', '/tasks/t1'],
  ['with colons of its own', '/tasks/a:b:injectReminder/', 'a:b', '/tasks/a:b'],
  ['below a tenant of the agent’s', '/hotel/tasks/t%201:injectReminder', 't 1', '/hotel/tasks/t%201'],
  ['of 0.3', '/v1/tasks/t1:injectReminder', 't1', '/v1/tasks/t1'],
])('of HTTP+JSON the path of a task, %s', (_, below, taskId, taskPath) => {
  expect(restInject('POST', below)).toEqual({ taskId, taskPath });
});

it.each([
  ['GET', '/tasks/t1:injectReminder'],
  ['POST', '/tasks/t1:cancel'],
  ['POST', '/tasks/:injectReminder'],
  ['POST', '/tasks/t1/more:injectReminder'],
  ['POST', '/tasks/%ff:injectReminder'],
  ['POST', '/message:send'],
])('of HTTP+JSON nothing else: %s %s', (method, below) => {
  expect(restInject(method, below)).toBeUndefined();
});
