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

/** A round in which it is called, and each of these attempts fails. */
function round(health: AgentHealth, ...attempts: readonly number[]): number {
  health.called();
  for (const attempt of attempts) health.failed(attempt);
  return health.endRound();
}

describe("an agent's health", () => {
  it('fails by rounds: what was under way together counts once, and waits for the longest', () => {
    const health = new AgentHealth(bounds, most);
    health.called();
    expect([health.failed(1), health.failed(1, 5_000)]).toEqual([1_000, 5_000]);
    expect(health.isFailing).toBe(false);
    expect(health.endRound()).toBe(5_000);
    expect(health.isFailing).toBe(true);
    expect(round(health, 1)).toBe(2_000);
    expect(health.failed(1)).toBe(4_000);
  });

  it('may be good while it never takes one lapse: that one waits ever longer, and the others do not', () => {
    const health = new AgentHealth(bounds, most);
    expect(round(health, 1)).toBe(1_000);
    round(health);
    health.called();
    expect([health.failed(4), health.endRound()]).toEqual([8_000, 1_000]);
  });

  it('is known by how it was when it was called last', () => {
    const health = new AgentHealth(bounds, most);
    const standings = [health.standing];
    for (const attempts of [[1], []]) {
      round(health, ...attempts);
      standings.push(health.standing);
    }
    expect(standings).toEqual(['untried', 'failing', 'answering']);
    expect(new AgentHealth(bounds, most, true).standing).toBe('answering');
  });

  it('is well again after a round without a failure, or when it is registered anew', () => {
    const health = new AgentHealth(bounds, most);
    round(health, 1);
    expect(round(health)).toBe(0);
    expect(health.isFailing).toBe(false);
    round(health, 1);
    health.reset();
    expect([health.isFailing, health.failed(1)]).toEqual([false, 1_000]);
  });

  it('is taken for one that cannot tell once it has answered eight times in a row and said nothing', () => {
    const health = new AgentHealth(bounds, most);
    const answers = (count: number) => Array.from({ length: count }, () => health.mayStillTell());
    expect(answers(7)).toEqual(answers(7).map(() => true));
    health.told();
    expect(answers(9)).toEqual([true, true, true, true, true, true, true, false, true]);
  });

  it('gets what may double ever more seldom, in the end more so than what does not', () => {
    const health = new AgentHealth(bounds, most);
    expect([1, 2, 6, 7, 100].map((attempt) => health.beforeDuplicate(attempt))).toEqual([
      ...[1_000, 2_000, 32_000, 64_000, 360_000],
    ]);
  });
});
