// Whose deadline comes next, whatever has changed meanwhile.
import { decide, formatInstant, type Input } from '#expectations';
import { declared, raised, reported } from '#testing';
import { Tenants } from './tenants.ts';

const start = Date.parse('2026-09-01T00:00:00Z');

function tell(tenants: Tenants, tenant: string, input: object): void {
  decide(tenants.state(tenant), { ...input, at: formatInstant(start) } as Input);
  tenants.changed(tenant);
}

describe('tenants with deadlines', () => {
  it('are due strictly after their deadline, each once, until they have changed again', () => {
    const tenants = new Tenants();
    for (const [tenant, dueAtMs] of [
      ['b', start + 1],
      ['a', start + 1],
      ['c', start],
    ] as const) {
      tell(tenants, tenant, declared());
      tell(tenants, tenant, raised({ id: 'e', dueAtMs }));
    }
    expect(tenants.dueBefore(start)).toEqual([]);
    expect(tenants.dueBefore(start + 2)).toEqual(['c', 'a', 'b']);
    expect(tenants.dueBefore(start + 2)).toEqual([]);
    tenants.changed('a');
    expect(tenants.earliestDeadline()).toBe(start + 1);
    expect(tenants.dueBefore(start + 2)).toEqual(['a']);
  });

  it('that have none are never due', () => {
    const tenants = new Tenants();
    tell(tenants, 'a', declared());
    expect(tenants.earliestDeadline()).toBeUndefined();
    expect(tenants.dueBefore(start + 1_000_000)).toEqual([]);
    expect([tenants.count, tenants.openCount]).toEqual([1, 0]);
  });

  it('cost no more memory however often a deadline comes and goes', () => {
    const tenants = new Tenants();
    tell(tenants, 'a', declared());
    tell(tenants, 'a', raised({ id: 'far', dueAtMs: start + 1_000_000 }));
    for (let round = 0; round < 2_000; round += 1) {
      const id = `near-${round}`;
      tell(tenants, 'a', raised({ id, dueAtMs: start + 1_000 + round }));
      tell(tenants, 'a', reported(start, id));
    }
    const { queue } = tenants as unknown as { readonly queue: { readonly length: number } };
    expect(queue.length).toBeLessThan(100);
    expect(tenants.earliestDeadline()).toBe(start + 1_000_000);
    expect(tenants.dueBefore(start + 1_000_001)).toEqual(['a']);
  });
});
