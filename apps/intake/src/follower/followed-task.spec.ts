// When a task is looked at next.
import { TaskReadError } from '#protocol';
import type { AwaitedTask } from '#read-model';
import { FollowedTask } from './followed-task.ts';
import { defaultFollowerOptions } from './follower-options.ts';

const nowMs = Date.parse('2026-09-10T00:00:00Z');
const awaited: AwaitedTask = { taskHash: 'h', ledgerOffset: 0, agentId: 'a', taskId: 't' };

/** With the longest of its waits, so that they can be told. */
function followed(more: Partial<AwaitedTask> = {}): FollowedTask {
  return new FollowedTask({ ...awaited, ...more }, nowMs, defaultFollowerOptions, { fraction: () => 1 });
}
const waitOf = (task: FollowedTask): number => (task.nextAtMs - nowMs) / 1_000;

it('at once where nobody has ever seen it, as a lapse task', () => {
  expect(waitOf(followed())).toBe(0);
});

it('not while others see it', () => {
  const task = followed({ seenAtMs: nowMs - 5_000 });
  expect(waitOf(task)).toBe(10);
  task.refresh({ ...awaited, seenAtMs: nowMs });
  expect(waitOf(task)).toBe(15);
  task.refresh({ ...awaited, seenAtMs: nowMs });
  expect(waitOf(task)).toBe(15);
});

it('ever more rarely while nothing changes, and soon again after news', () => {
  const task = followed();
  const waits = [true, false, false, false, false, false, false, true].map((isNews) => {
    task.looked(nowMs, isNews);
    return waitOf(task);
  });
  expect(waits).toEqual([30, 60, 120, 240, 480, 600, 600, 30]);
});

it('rarely where its agent sends by itself, or once it is over', () => {
  const pushed = followed();
  pushed.way = 'push';
  pushed.looked(nowMs, true);
  expect(waitOf(pushed)).toBe(600);
  const over = followed();
  over.said('TASK_STATE_COMPLETED');
  over.looked(nowMs, true);
  expect([over.isOver, waitOf(over)]).toEqual([true, 600]);
});

it('once an hour when its agent has said often enough that it knows no such task', () => {
  const task = followed();
  const given = [1, 2, 3, 4, 5].map(() => [task.unknown(nowMs), task.isLost, waitOf(task)]);
  expect(given).toEqual([
    [false, false, 30],
    [false, false, 60],
    [false, false, 120],
    [true, true, 3_600],
    [false, true, 3_600],
  ]);
  task.looked(nowMs, false);
  expect(task.isLost).toBe(false);
});

it('soon after a stream that held, ever later after those that do not', () => {
  const task = followed();
  const waits = [false, false, false, true].map((hasHeld) => {
    task.streamed(nowMs, hasHeld);
    return waitOf(task);
  });
  expect(waits).toEqual([2, 4, 8, 1]);
});

it('otherwise than by a stream for an hour, where that is refused or breaks each time', () => {
  const refused = followed();
  refused.broken(nowMs, new TaskReadError('unsupported', 'no streams'));
  expect([refused.isStreamable(nowMs), waitOf(refused)]).toEqual([false, 0]);
  expect(refused.isStreamable(nowMs + 3_600_000)).toBe(true);
  const breaking = followed();
  const streamable = [1, 2, 3, 4, 5].map(() => {
    breaking.broken(nowMs, new TaskReadError('away', 'gone'));
    return breaking.isStreamable(nowMs);
  });
  expect(streamable).toEqual([true, true, true, true, false]);
});

describe('that it cannot be followed', () => {
  it('is certain after several failures in a row, with the last cause, and over with an answer', () => {
    const task = followed();
    const refused = new TaskReadError('refused', 'HTTP 401');
    const troubles = [1, 2, 3, 4].map(() => {
      task.failed(nowMs, refused);
      return task.trouble;
    });
    expect(troubles).toEqual([undefined, undefined, undefined, { cause: 'refused', message: 'HTTP 401' }]);
    task.looked(nowMs, false);
    expect([task.trouble, task.isInDoubt]).toEqual([undefined, false]);
  });

  it('is in doubt from the first failure on, and of what was there before until it is shown', () => {
    const task = followed();
    expect(task.isInDoubt).toBe(false);
    task.unknown(nowMs);
    expect(task.isInDoubt).toBe(true);
    const before = followed();
    before.isFromBefore = true;
    expect(before.isInDoubt).toBe(true);
    before.shownAtMs = nowMs;
    expect(before.isInDoubt).toBe(false);
  });
});
