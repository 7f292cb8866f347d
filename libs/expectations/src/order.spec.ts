// Opaque strings in the order of their code points.
import fc from 'fast-check';
import { compareCodePoints } from './order.ts';

/** The rule, written plainly. */
function naive(left: string, right: string): number {
  const [ofLeft, ofRight] = [left, right].map((text) => Array.from(text, (letter) => letter.codePointAt(0) ?? 0));
  for (const [index, point] of (ofLeft ?? []).entries()) {
    const other = ofRight?.[index];
    if (other === undefined) return 1;
    if (point !== other) return Math.sign(point - other);
  }
  return (ofLeft?.length ?? 0) === (ofRight?.length ?? 0) ? 0 : -1;
}

it('is by code points, not by units and not by locale', () => {
  const words = ['b', 'a', 'B', '', 'ab', 'é', 'e\u0301', '\u{1f4e6}', '\uff5e', '10', '9', 'Z'];
  expect(words.sort(compareCodePoints)).toEqual([
    '',
    '10',
    '9',
    'B',
    'Z',
    'a',
    'ab',
    'b',
    'e\u0301',
    'é',
    '\uff5e',
    '\u{1f4e6}',
  ]);
});

it('is that of code points for any strings', () => {
  const strings = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('a', '\uffff', '\u{10000}') }),
  );
  fc.assert(
    fc.property(strings, strings, (left, right) => {
      expect(Math.sign(compareCodePoints(left, right))).toBe(naive(left, right));
    }),
    { numRuns: 5_000, seed: 1 },
  );
});
