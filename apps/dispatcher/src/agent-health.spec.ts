import { AgentHealth } from './agent-health.ts';

const bounds = { baseMs: 1_000, capMs: 600_000 };
const shortBounds = { baseMs: 1_000, capMs: 60_000 };
const random = { fraction: () => 1 };

/** After a round in which the agent was called and did not answer. */
function failing(): AgentHealth {
  const health = new AgentHealth(bounds, random);
  health.called();
  health.failed(1);
  expect(health.endRound()).toBe(1_000);
  return health;
}

describe('an agent that does not answer', () => {
  it('is failing, and waited for ever longer', () => {
    const health = failing();
    expect(health.standing).toBe('failing');
    health.called();
    health.failed(2);
    expect(health.endRound()).toBe(2_000);
  });

  it('stays so through rounds in which it is not called', () => {
    const health = failing();
    expect(health.endRound()).toBe(0);
    expect(health.standing).toBe('failing');
    health.called();
    health.failed(1);
    expect(health.endRound()).toBe(2_000);
  });

  it('is answering once it has answered', () => {
    const health = failing();
    health.called();
    expect(health.endRound()).toBe(0);
    expect(health.standing).toBe('answering');
  });
});

it('an agent that was never called is neither answering nor failing', () => {
  const health = new AgentHealth(bounds, random);
  health.endRound();
  expect(health.standing).toBe('untried');
});

/** A round in which it is called, and each of these attempts fails. */
function round(health: AgentHealth, ...attempts: readonly number[]): number {
  health.called();
  for (const attempt of attempts) health.failed(attempt);
  return health.endRound();
}

describe("an agent's health", () => {
  it('fails by rounds: what was under way together counts once, and waits for the longest', () => {
    const health = new AgentHealth(shortBounds, random);
    health.called();
    expect([health.failed(1), health.failed(1, 5_000)]).toEqual([1_000, 5_000]);
    expect(health.isFailing).toBe(false);
    expect(health.endRound()).toBe(5_000);
    expect(health.isFailing).toBe(true);
    expect(round(health, 1)).toBe(2_000);
    expect(health.failed(1)).toBe(4_000);
  });

  it('may be good while it never takes one lapse: that one waits ever longer, and the others do not', () => {
    const health = new AgentHealth(shortBounds, random);
    expect(round(health, 1)).toBe(1_000);
    round(health);
    health.called();
    expect([health.failed(4), health.endRound()]).toEqual([8_000, 1_000]);
  });

  it('is known by how it was when it was called last', () => {
    const health = new AgentHealth(shortBounds, random);
    const standings = [health.standing];
    for (const attempts of [[1], []]) {
      round(health, ...attempts);
      standings.push(health.standing);
    }
    expect(standings).toEqual(['untried', 'failing', 'answering']);
    expect(new AgentHealth(shortBounds, random, true).standing).toBe('answering');
  });

  it('is well again after a round without a failure, or when it is registered anew', () => {
    const health = new AgentHealth(shortBounds, random);
    round(health, 1);
    expect(round(health)).toBe(0);
    expect(health.isFailing).toBe(false);
    round(health, 1);
    health.reset();
    expect([health.isFailing, health.failed(1)]).toEqual([false, 1_000]);
  });

  it('is taken for one that cannot tell once it has answered eight times in a row and said nothing', () => {
    const health = new AgentHealth(shortBounds, random);
    const answers = (count: number) => Array.from({ length: count }, () => health.mayStillTell());
    expect(answers(7)).toEqual(answers(7).map(() => true));
    health.told();
    expect(answers(9)).toEqual([true, true, true, true, true, true, true, false, true]);
  });

  it('gets what may double ever more seldom, in the end more so than what does not', () => {
    const health = new AgentHealth(shortBounds, random);
    expect([1, 2, 6, 7, 100].map((attempt) => health.beforeDuplicate(attempt))).toEqual([
      ...[1_000, 2_000, 32_000, 64_000, 360_000],
    ]);
  });
});
