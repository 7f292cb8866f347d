import { ManualClock } from '#testing';
import { SendRates } from './send-rates.ts';

const startMs = 1_000_000;

/** The instants, from the start, at which so many calls may leave that are asked for one by one. */
function leaves(rates: SendRates, agents: readonly string[], tenant = 't', perMinute?: number): number[] {
  return agents.map((agent) => rates.reserve(tenant, agent, 1, perMinute).fromMs - startMs);
}

const same = (count: number, agent = 'a') => Array.from({ length: count }, () => agent);

describe('calls to an agent', () => {
  it('leave at once up to 20, and then ten a second', () => {
    const all = leaves(new SendRates(new ManualClock(startMs)), same(25));
    expect(all.slice(0, 20)).toEqual(same(20).map(() => 0));
    expect(all.slice(20)).toEqual([100, 200, 300, 400, 500]);
  });

  it('come back with time, and never more than 20', async () => {
    const clock = new ManualClock(startMs);
    const rates = new SendRates(clock);
    leaves(rates, same(20));
    await clock.advance(300);
    expect(leaves(rates, same(4))).toEqual([300, 300, 300, 400]);
    await clock.advance(86_400_000);
    expect(leaves(rates, same(21)).filter((at) => at > 86_400_300)).toHaveLength(1);
  });

  it('are as many as its own rate says', () => {
    const rates = new SendRates(new ManualClock(startMs));
    expect(leaves(rates, same(3), 't', 1)).toEqual([0, 60_000, 120_000]);
    expect(rates.reserve('t', 'b', 4, 60)).toEqual({ count: 2, fromMs: startMs });
  });

  it('take nothing from those to another', () => {
    const rates = new SendRates(new ManualClock(startMs));
    leaves(rates, same(100));
    expect(leaves(rates, ['b'])).toEqual([0]);
  });
});

describe('calls to all agents of a tenant', () => {
  it('leave in the order in which they are asked for', () => {
    const rates = new SendRates(new ManualClock(startMs), { tenantPerMinute: 60 });
    expect(leaves(rates, ['a', 'b', 'a', 'b', 'c'])).toEqual([0, 0, 1_000, 2_000, 3_000]);
  });

  it('take nothing from those of another tenant', () => {
    const rates = new SendRates(new ManualClock(startMs), { tenantPerMinute: 60 });
    leaves(rates, same(50));
    expect(leaves(rates, ['x'], 'u')).toEqual([0]);
  });
});
