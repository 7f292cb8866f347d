// The coarse grid of instants scenarios live on, so that things happen at the very same instant, or a millisecond apart.
import type fc from 'fast-check';
import { readInstant, writeInstant } from '../model/instant.ts';
import { weighted } from './draw.ts';

const start = readInstant('2026-09-01T00:00:00Z') ?? 0;

/** So many hours after the start, and some milliseconds. */
export function onGrid(hours: number, ms = 0): string {
  return writeInstant(start + hours * 3_600_000 + ms);
}

/** On the grid mostly, else a millisecond before or after. */
export const jitterMs: fc.Arbitrary<number> = weighted([80, 0], [8, -1], [12, 1]);

/** Other ways to write the instant of a text in UTC: the same to whoever reads instants. */
export function rewritten(instant: string, how: 'as it is' | 'with an offset' | 'with a fraction'): string {
  const read = readInstant(instant) ?? 0;
  if (how === 'with an offset') return writeInstant(read + 7_200_000).replace('Z', '+02:00');
  return how === 'with a fraction' && !instant.includes('.') ? instant.replace('Z', '.000z') : instant;
}
