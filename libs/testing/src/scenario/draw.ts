// Small words on top of fast-check: choices with weights, and what is there only sometimes.
import fc from 'fast-check';

/** One of the values; the number before each says how often, against the sum. */
export function weighted<T>(...choices: readonly (readonly [weight: number, value: T])[]): fc.Arbitrary<T> {
  return fc.oneof(...choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));
}

/** There in so many of a hundred draws, else undefined. */
export function inPercent<T>(percent: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 100 - percent, arbitrary: fc.constant(undefined) }, { weight: percent, arbitrary });
}

/** True in so many of a hundred draws. */
export function chance(percent: number): fc.Arbitrary<boolean> {
  return weighted([100 - percent, false], [percent, true]);
}

/** An object without the members that are undefined. */
export function present(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
