import { BodyBudget } from './body-budget.ts';

const budgetOf = (tenantBytes: number, allBytes: number) => new BodyBudget({ tenantBytes, allBytes });

describe('the budget of bodies', () => {
  it('gives each tenant its share, and no more', () => {
    const budget = budgetOf(10, 100);
    expect([budget.take('a', 6), budget.take('a', 5), budget.take('a', 4)]).toEqual(['taken', 'tenantFull', 'taken']);
    expect(budget.take('b', 10)).toBe('taken');
  });

  it('gives all of them together no more than there is', () => {
    const budget = budgetOf(10, 15);
    expect([budget.take('a', 10), budget.take('b', 6), budget.take('b', 5)]).toEqual(['taken', 'allFull', 'taken']);
  });

  it('gives again what was given back', () => {
    const budget = budgetOf(10, 15);
    budget.take('a', 10);
    budget.take('b', 5);
    budget.free('a', 10);
    budget.free('b', 0);
    expect([budget.take('a', 10), budget.take('c', 1)]).toEqual(['taken', 'allFull']);
  });
});
