// Whether a state without an instant may be older than a question of its task.
import { StateOrder } from './state-order.ts';

type Status = Parameters<StateOrder['note']>[1];

const working = (over: object = {}): Status => ({
  ...{ type: 'statusObserved', agentId: 'booking', taskId: 't', contextId: 'c', state: 'TASK_STATE_WORKING' },
  ...over,
});
const question = (id: string, over: object = {}): Status =>
  working({ state: 'TASK_STATE_INPUT_REQUIRED', message: { messageId: id, metadata: {} }, ...over });

/** Whether what `asking` shows is held back. */
function isHeldBack(order: StateOrder, status: Status, asking = order.ask()): boolean {
  return order.isOvertaken('acme', status, order.note('acme', status, asking));
}

it('it may be where it was asked for before the question was shown', () => {
  const order = new StateOrder();
  const asking = order.ask();
  order.note('acme', question('q1'), order.ask());
  expect(isHeldBack(order, working(), asking)).toBe(true);
});

it('it is not where it was asked for after that', () => {
  const order = new StateOrder();
  order.note('acme', question('q1'), order.ask());
  expect(isHeldBack(order, working())).toBe(false);
});

it('it is not on a stream that has shown the question, though others show it again', () => {
  const order = new StateOrder();
  const stream = order.ask();
  order.note('acme', question('q1'), stream);
  order.note('acme', question('q1'), order.ask());
  expect(isHeldBack(order, working(), stream)).toBe(false);
});

it('it may be on a slow stream that has shown an earlier question alone', () => {
  const order = new StateOrder();
  const [fast, slow] = [order.ask(), order.ask()];
  order.note('acme', question('q1'), fast);
  order.note('acme', question('q2'), fast);
  order.note('acme', question('q1'), slow);
  expect([isHeldBack(order, working(), slow), isHeldBack(order, working(), fast)]).toEqual([true, false]);
});

it.each([
  ['dated', { statusAt: '2026-09-10T00:00:00Z' }, false],
  ['dated by no instant', { statusAt: 'yesterday' }, true],
  ['at its end', { state: 'TASK_STATE_CANCELED' }, false],
  ['a question itself', { state: 'TASK_STATE_AUTH_REQUIRED' }, false],
  ['of another task', { taskId: 'u' }, false],
  ['of another agent', { agentId: 'other' }, false],
])('a state that is %s', (_, over, isOlder) => {
  const order = new StateOrder();
  const asking = order.ask();
  order.note('acme', question('q1'), order.ask());
  expect(isHeldBack(order, working(over), asking)).toBe(isOlder);
});

it('a wait that asks nothing that is watched holds nothing back', () => {
  const order = new StateOrder();
  const asking = order.ask();
  order.note('acme', question('q1', { message: undefined }), order.ask());
  expect(isHeldBack(order, working(), asking)).toBe(false);
});

it('what one answer shows of one task orders nothing of another', () => {
  const order = new StateOrder();
  const list = order.ask();
  order.note('acme', question('q1'), order.ask());
  order.note('acme', question('q2', { taskId: 'u' }), list);
  expect(isHeldBack(order, working(), list)).toBe(true);
});

it('of one tenant much may be forgotten, and of another nothing for it', () => {
  const order = new StateOrder(100);
  const asking = order.ask();
  order.note('acme', question('q1'), order.ask());
  for (let nth = 0; nth < 1_000; nth += 1) order.note('mallory', question('q', { taskId: `t${nth}` }), order.ask());
  expect(isHeldBack(order, working(), asking)).toBe(true);
  const isKept = (taskId: string) =>
    order.isOvertaken('mallory', working({ taskId }), order.note('mallory', working({ taskId }), asking));
  expect([isKept('t0'), isKept('t900'), isKept('t901'), isKept('t999')]).toEqual([false, false, true, true]);
});
