import { AgentHealth } from './agent-health.ts';

const bounds = { baseMs: 1_000, capMs: 600_000 };
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
