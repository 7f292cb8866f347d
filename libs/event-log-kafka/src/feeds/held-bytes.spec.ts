import { HeldBytes } from './held-bytes.ts';

const bounds = { tenantBytes: 100, allBytes: 250 };

describe('what is held of feeds', () => {
  it('leaves a tenant that holds nothing room for something, however large', () => {
    expect(new HeldBytes(bounds).hasRoom('a', 1_000)).toBe(true);
  });

  it('is bounded by tenant, and again free when it is given back', () => {
    const held = new HeldBytes(bounds);
    held.add('a', 60);
    expect([held.hasRoom('a', 40), held.hasRoom('a', 41), held.hasRoom('b', 100)]).toEqual([true, false, true]);
    held.add('a', -60);
    expect(held.hasRoom('a', 100)).toBe(true);
  });

  it('is bounded in all', () => {
    const held = new HeldBytes(bounds);
    for (const tenant of ['a', 'b', 'c']) held.add(tenant, 90);
    expect(held.hasRoom('d', 1)).toBe(false);
  });
});
