import { EXTENSION_URI, type StreamPart } from '#protocol';
import { Told } from './told.ts';

const ids = { taskId: 't', contextId: 'c' };
const block = { [EXTENSION_URI]: { facts: [{ factKey: 'k', observedAt: '2026-09-10T00:00:00Z' }] } };

function status(state: string | undefined, more: object = {}, message?: object): StreamPart {
  return { statusUpdate: { ...ids, status: { state, ...more, ...(message && { message }) } } };
}
const artifact = (artifactId: string, metadata: object = {}): StreamPart => ({
  artifactUpdate: { ...ids, artifact: { artifactId, parts: [], metadata } },
});

let told: Told;
beforeEach(() => {
  told = new Told();
});

/** Whether it was news; it is told then. */
function tell(part: StreamPart, recorded?: string, { nowMs = 0, isInOrder = true } = {}): boolean {
  const news = told.newsIn('booking', part, { nowMs, isInOrder, ...(recorded !== undefined && { recorded }) });
  if (news !== undefined) told.remember(news, nowMs);
  return news !== undefined;
}

it('a state is news once, whatever instant it is said for', () => {
  expect(tell(status('TASK_STATE_WORKING', { timestamp: '2026-09-10T00:00:00Z' }))).toBe(true);
  expect(tell(status('TASK_STATE_WORKING', { timestamp: '2026-09-10T00:00:09Z' }))).toBe(false);
  expect(tell(status('working'))).toBe(false);
});

it('a state that comes back is news', () => {
  const states = ['TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_WORKING'];
  expect(states.map((state) => tell(status(state)))).toEqual([true, true, true]);
});

it('a state that the record does not have is news, though it was told', () => {
  tell(status('TASK_STATE_WORKING'));
  expect(tell(status('TASK_STATE_WORKING'), 'TASK_STATE_WORKING')).toBe(false);
  expect(tell(status('TASK_STATE_WORKING'), 'TASK_STATE_INPUT_REQUIRED')).toBe(true);
});

it('an artifact is news for its block alone, once', () => {
  expect(tell(artifact('a'))).toBe(false);
  expect(tell(artifact('a', block))).toBe(true);
  expect(tell(artifact('a', block))).toBe(false);
  expect(tell(artifact('b', block))).toBe(true);
});

it('what was streamed is no news in the snapshot after it', () => {
  tell(status('TASK_STATE_WORKING'));
  tell(artifact('a', block));
  const artifacts = [{ artifactId: 'a', parts: [], metadata: block }];
  const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' }, artifacts };
  expect(tell({ task })).toBe(false);
  expect(tell({ task: { ...task, status: { state: 'TASK_STATE_COMPLETED' } } })).toBe(true);
});

it("a status's block is news, with a state or without", () => {
  tell(status('TASK_STATE_WORKING'));
  const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [], metadata: block };
  expect(tell(status('TASK_STATE_WORKING', {}, message))).toBe(true);
  expect(tell(status('TASK_STATE_WORKING', {}, message))).toBe(false);
  expect(tell(status(undefined, {}, { ...message, messageId: 'm2' }))).toBe(true);
});

it('no state is no news, nor is what cannot be read', () => {
  expect(tell(status(undefined))).toBe(false);
  expect(tell({ task: { id: 't' } })).toBe(false);
  expect(tell({ task: 7 })).toBe(false);
});

it('what is not believed is news once, so that it is kept once', () => {
  const far = { [EXTENSION_URI]: { facts: [{ factKey: 'k', observedAt: 'never' }] } };
  expect(tell(artifact('a', far))).toBe(true);
  expect(tell(artifact('a', far))).toBe(false);
});

it('what is not told is news again', () => {
  expect(told.newsIn('booking', status('TASK_STATE_WORKING'), { nowMs: 0, isInOrder: true })).toBeDefined();
  expect(told.newsIn('booking', status('TASK_STATE_WORKING'), { nowMs: 0, isInOrder: true })).toBeDefined();
});

it('of what may come out of order, a state of another instant is news, and one without an instant always', () => {
  const outOfOrder = (state: string, timestamp?: string): boolean =>
    tell(status(state, timestamp === undefined ? {} : { timestamp }), undefined, { isInOrder: false });
  expect(outOfOrder('TASK_STATE_WORKING', '2026-09-10T00:00:01Z')).toBe(true);
  expect(outOfOrder('TASK_STATE_WORKING', '2026-09-10T00:00:01Z')).toBe(false);
  expect(outOfOrder('TASK_STATE_WORKING', '2026-09-10T00:00:03Z')).toBe(true);
  expect(outOfOrder('TASK_STATE_WORKING')).toBe(true);
  expect(outOfOrder('TASK_STATE_WORKING')).toBe(true);
});

it('a block is told again after an hour, for what was refused may be taken by then', () => {
  expect(tell(artifact('a', block))).toBe(true);
  expect(tell(artifact('a', block), undefined, { nowMs: 3_599_999 })).toBe(false);
  expect(tell(artifact('a', block), undefined, { nowMs: 3_600_000 })).toBe(true);
  expect(tell(artifact('a', block), undefined, { nowMs: 3_600_001 })).toBe(false);
});
