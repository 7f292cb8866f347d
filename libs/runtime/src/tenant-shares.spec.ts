import { TenantShares } from './tenant-shares.ts';

const budgetOf = (tenantBytes: number, allBytes: number) =>
  new TenantShares({ tenantBytes, allBytes, tenantCount: 3, allCount: 4 });

describe('what tenants have under way', () => {
  it('gives each tenant its share, and no more', () => {
    const budget = budgetOf(10, 100);
    expect([budget.take('a', 6), budget.take('a', 5), budget.take('a', 4)]).toEqual(['taken', 'tenantFull', 'taken']);
    expect(budget.take('b', 10)).toBe('taken');
  });

  it('takes what a tenant has alone, however large', () => {
    const shares = budgetOf(10, 100);
    expect(shares.look('a', 50)).toBe('taken');
    expect([shares.take('a', 50), shares.take('a', 1), shares.look('a', 0)]).toEqual([
      ...['taken', 'tenantFull', 'tenantFull'],
    ]);
    shares.free('a', 50);
    expect(shares.take('a', 10)).toBe('taken');
  });

  it('gives all of them together no more than there is', () => {
    const budget = budgetOf(10, 15);
    expect([budget.take('a', 10), budget.take('b', 6), budget.take('b', 5)]).toEqual(['taken', 'allFull', 'taken']);
  });

  it('is bounded in count, too, of a tenant and of all', () => {
    const shares = budgetOf(10, 15);
    expect(['a', 'a', 'a', 'a', 'b', 'b'].map((tenant) => shares.take(tenant, 0))).toEqual([
      ...['taken', 'taken', 'taken', 'tenantFull', 'taken', 'allFull'],
    ]);
    shares.free('a', 0);
    expect([shares.take('b', 0), shares.take('a', 0)]).toEqual(['taken', 'allFull']);
    expect(shares.take('b', 5, 0)).toBe('taken');
  });

  it('holds what can no more be refused, and refuses the more then', () => {
    const shares = budgetOf(10, 15);
    for (let count = 0; count < 5; count += 1) shares.hold('a', 0);
    expect([shares.take('a', 0), shares.take('b', 0), shares.total.count]).toEqual(['tenantFull', 'allFull', 5]);
    shares.free('a', 0, 3);
    expect([shares.take('a', 0), shares.take('b', 0)]).toEqual(['taken', 'taken']);
  });

  it('gives again what was given back', () => {
    const budget = budgetOf(10, 15);
    budget.take('a', 10);
    budget.take('b', 5);
    budget.free('a', 10);
    budget.free('b', 0, 0);
    expect([budget.take('a', 10), budget.take('c', 1)]).toEqual(['taken', 'allFull']);
  });
});
