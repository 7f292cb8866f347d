import { AgentHealth } from './agent-health.ts';
import { retryDelayMs } from './backoff.ts';

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

describe("an agent's health", () => {
  it('fails by rounds: what was under way together counts once, and waits for the longest', () => {
    const health = new AgentHealth(bounds, most);
    expect([health.failed(), health.failed(5_000)]).toEqual([1_000, 5_000]);
    expect(health.isFailing).toBe(false);
    expect(health.endRound()).toBe(5_000);
    expect(health.isFailing).toBe(true);
    expect(health.failed()).toBe(2_000);
    health.endRound();
    expect(health.failed()).toBe(4_000);
  });

  it('is well again after a round without a failure, or when it is registered anew', () => {
    const health = new AgentHealth(bounds, most);
    health.failed();
    health.endRound();
    expect(health.endRound()).toBe(0);
    expect(health.isFailing).toBe(false);
    health.failed();
    health.endRound();
    health.reset();
    expect([health.isFailing, health.failed()]).toEqual([false, 1_000]);
  });
});
