// Partitions are shared evenly, and move as little as they can.
import fc from 'fast-check';
import { assign, type Claim } from './assign.ts';

const claimsOf = (...shares: readonly (readonly number[])[]): Claim[] =>
  shares.map((partitions, nth) => ({ memberId: `m${nth}`, partitions }));

describe('sharing partitions', () => {
  it('gives all to one', () => {
    expect(assign(claimsOf([]), 3)).toEqual(new Map([['m0', [0, 1, 2]]]));
  });

  it('leaves what is even as it is', () => {
    const shares = assign(claimsOf([1, 3], [0, 2]), 4);
    expect(shares).toEqual(
      new Map([
        ['m0', [1, 3]],
        ['m1', [0, 2]],
      ]),
    );
  });

  it('takes no more than it must for one who is new', () => {
    const shares = assign(claimsOf([0, 1, 2], [3, 4, 5], []), 6);
    expect(shares.get('m0')).toEqual([0, 1]);
    expect(shares.get('m1')).toEqual([3, 4]);
    expect(shares.get('m2')).toEqual([2, 5]);
  });

  it('gives a partition that two believe to have to one of them', () => {
    const shares = assign(claimsOf([0, 1], [0, 1]), 2);
    expect([...shares.values()].flat().sort()).toEqual([0, 1]);
  });

  it('leaves some without any where there are more members than partitions', () => {
    const shares = assign(claimsOf([], [0], []), 1);
    expect(shares.get('m1')).toEqual([0]);
    expect(shares.get('m0')).toEqual([]);
  });

  it('gives every partition to exactly one, evenly, whatever is claimed and in whatever order', () => {
    const claims = fc
      .array(fc.array(fc.integer({ min: -1, max: 12 }), { maxLength: 12 }), { minLength: 1, maxLength: 6 })
      .map((shares) => claimsOf(...shares));
    fc.assert(
      fc.property(claims, fc.integer({ min: 1, max: 10 }), (given, partitionCount) => {
        const shares = assign(given, partitionCount);
        const counts = [...shares.values()].map(({ length }) => length);
        expect([...shares.values()].flat().sort((a, b) => a - b)).toEqual(
          Array.from({ length: partitionCount }, (_, partition) => partition),
        );
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        expect(assign([...given].reverse(), partitionCount)).toEqual(shares);
      }),
    );
  });

  it('moves nothing that need not move when one leaves', () => {
    const before = assign(claimsOf([], [], []), 12);
    const left = [...before].filter(([memberId]) => memberId !== 'm1');
    const after = assign(
      left.map(([memberId, partitions]) => ({ memberId, partitions })),
      12,
    );
    for (const [memberId, partitions] of left)
      expect(after.get(memberId)).toEqual(expect.arrayContaining([...partitions]));
  });
});
