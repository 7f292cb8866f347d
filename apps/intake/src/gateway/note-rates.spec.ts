// How many messages may be sent on in a second.
import type { Clock } from '#runtime';
import { gatewayLimits } from './gateway-limits.ts';
import { NoteRates } from './note-rates.ts';

describe('the rates of notes', () => {
  let nowMs: number;
  let rates: NoteRates;

  beforeEach(() => {
    nowMs = 0;
    const clock = { now: () => nowMs } as unknown as Clock;
    rates = new NoteRates(clock, { ...gatewayLimits, notes: { agentPerSecond: 2, tenantPerSecond: 3 } });
  });

  /** How many of so many are let go. */
  const taken = (tenant: string, agentId: string, count: number): number =>
    Array.from({ length: count }).filter(() => {
      try {
        rates.take(tenant, agentId);
        return true;
      } catch {
        return false;
      }
    }).length;

  it('let two seconds’ worth go at once, and then as many as come in', () => {
    expect(taken('acme', 'a', 10)).toBe(4);
    nowMs = 500;
    expect(taken('acme', 'a', 10)).toBe(1);
    nowMs = 60_000;
    expect(taken('acme', 'a', 10)).toBe(4);
  });

  it('are of an agent, and of all of its tenant’s; nobody else’s', () => {
    expect([taken('acme', 'a', 10), taken('acme', 'b', 10), taken('globex', 'a', 10)]).toEqual([4, 2, 4]);
  });

  it('say whose is used up, which costs nothing', () => {
    taken('acme', 'a', 4);
    expect(() => rates.take('acme', 'a')).toThrow('this agent is sent too many messages');
    expect(taken('acme', 'b', 10)).toBe(2);
    expect(() => rates.take('acme', 'b')).toThrow('this tenant’s agents are sent too many messages');
  });
});
