// Hashes stand for JSON values: equal ones have the same, others another.
import fc from 'fast-check';
import { formatHash, hashJson, hashList, hashString, hashText, hashWith, isSame } from './hash.ts';

function json(text: string): string {
  return formatHash(hashJson(JSON.parse(text)));
}

describe('the hash of a JSON value', () => {
  it.each([
    ['the order of members', '{"a":1,"b":{"c":[1,2],"d":null}}', '{"b":{"d":null,"c":[1,2]},"a":1}'],
    ['1 and 1.0', '{"a":1}', '{"a":1.0}'],
    ['1 and 1e0', '[1]', '[1e0]'],
    ['0 and -0', '[0]', '[-0]'],
    ['two ways to write a text', '"\\u0041\\/"', '"A/"'],
    ['spaces between', '{"a" : [ 1 ]}', '{"a":[1]}'],
    ['the last of a member given twice', '{"a":1,"a":2}', '{"a":2}'],
  ])('does not depend on %s', (_what, left, right) => {
    expect(json(left)).toBe(json(right));
  });

  it.each([
    ['a number and its text', '1', '"1"'],
    ['null and a text', 'null', '"null"'],
    ['null and false', 'null', 'false'],
    ['false and 0', 'false', '0'],
    ['true and 1', 'true', '1'],
    ['nothing and an empty list', '{}', '[]'],
    ['an empty list and an empty text', '[]', '""'],
    ['null and a list of it', 'null', '[null]'],
    ['lists in another order', '[1,2]', '[2,1]'],
    ['lists cut elsewhere', '[[1],2]', '[[1,2]]'],
    ['texts cut elsewhere', '["ab","c"]', '["a","bc"]'],
    ['a text and the same with a zero after it', '"a"', '"a\\u0000"'],
    [
      'eight zeros and nine',
      '"\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000"',
      '"\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000"',
    ],
    ['a member that is null and none', '{"a":null}', '{}'],
    ['a member and its value', '{"a":"b"}', '{"b":"a"}'],
    ['members and a nested object', '{"a":1,"b":2}', '{"a":{"b":2}}'],
    ['two forms of one letter', '"\\u00e9"', '"e\\u0301"'],
    ['capitals', '"a"', '"A"'],
    ['neighbours among numbers', '0.1', '0.10000000000000002'],
    ['a large number and the next', '9007199254740991', '9007199254740992'],
  ])('tells apart %s', (_what, left, right) => {
    expect(json(left)).not.toBe(json(right));
  });

  it('reads __proto__ as a member like any other', () => {
    expect(json('{"__proto__":1}')).not.toBe(json('{}'));
    expect(json('{"__proto__":1}')).not.toBe(json('{"__proto__":2}'));
    expect(json('{"__proto__":{"a":1}}')).not.toBe(json('{"a":1}'));
  });

  it('is the same for any value through JSON and with its members turned around', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(json(JSON.stringify(turned(value)))).toBe(formatHash(hashJson(value)));
      }),
      { numRuns: 2_000, seed: 1 },
    );
  });

  it('differs for values that differ', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        expect(isSame(hashJson(left), hashJson(right))).toBe(canonical(left) === canonical(right));
      }),
      { numRuns: 2_000, seed: 1 },
    );
  });
});

describe('the hash of texts', () => {
  it('differs for texts cut elsewhere, and for what comes with them', () => {
    const hashes = [
      hashString('ab'),
      hashString('ba'),
      hashList(['ab'], 0),
      hashList(['a', 'b'], 0),
      hashList(['ab', ''], 0),
      hashList(['ab'], 1),
      hashWith(hashString('ab'), '', 0),
      hashWith(hashString('ba'), '', 0),
      hashWith(hashString('ab'), 'a', 0),
    ].map(formatHash);
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hashes.every((hash) => /^[0-9a-f]{32}$/.test(hash))).toBe(true);
  });

  it('spreads neighbours over all bits', () => {
    const count = 4_096;
    for (const word of ['a', 'b', 'c', 'd'] as const) {
      const highs = new Set<number>();
      const lows = new Set<number>();
      for (let index = 0; index < count; index += 1) {
        const hash = hashString(`shipment.departed:PA-2026-${index}`)[word];
        highs.add(hash >>> 20);
        lows.add(hash & 0xfff);
      }
      // Of 4,096 places that many random draws reach about 2,589.
      expect(highs.size).toBeGreaterThan(2_400);
      expect(lows.size).toBeGreaterThan(2_400);
    }
  });

  it('of one text for an index depends on the seed', () => {
    expect(hashText('exp-1', 0)).toBe(hashText('exp-1', 0));
    expect(hashText('exp-1', 0)).not.toBe(hashText('exp-1', 1));
    expect(hashText('exp-1', 0)).not.toBe(hashText('exp-2', 0));
  });
});

/** The same value, the members of each object in the other order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, turned(member)]),
  );
}

/** One text for all equal values. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value === 0 ? 0 : value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.sort().join()}}`;
}
