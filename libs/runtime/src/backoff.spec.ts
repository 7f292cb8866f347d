import { retryDelayMs, waitMs } from './backoff.ts';

const bounds = { baseMs: 1_000, capMs: 60_000 };
const most = { fraction: () => 1 };
const least = { fraction: () => 0 };

describe('the delay before a retry', () => {
  it.each([
    [1, 1_000],
    [2, 2_000],
    [6, 32_000],
    [7, 60_000],
    [100_000, 60_000],
  ])('after %i failures is at most %i ms', (failuresCount, delayMs) => {
    expect(retryDelayMs(failuresCount, bounds, most)).toBe(delayMs);
    expect(retryDelayMs(failuresCount, bounds, least)).toBe(0);
  });

  it('is at least what the agent asked for, and that at most an hour', () => {
    expect(retryDelayMs(1, bounds, least, 7_000)).toBe(7_000);
    expect(retryDelayMs(1, bounds, most, 10)).toBe(1_000);
    expect(retryDelayMs(1, bounds, least, 999_999_999)).toBe(3_600_000);
  });
});

describe('the wait', () => {
  it('between two looks is half of the most at least, and what the agent asked for', () => {
    expect([1, 2, 100_000].map((count) => waitMs(count, bounds, least))).toEqual([500, 1_000, 30_000]);
    expect([1, 2, 100_000].map((count) => waitMs(count, bounds, most))).toEqual([1_000, 2_000, 60_000]);
    expect([7_000, 999_999_999].map((askedMs) => waitMs(1, bounds, least, askedMs))).toEqual([7_000, 3_600_000]);
  });
});
