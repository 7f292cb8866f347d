// How long to wait before trying again: ever longer up to a cap, by a draw, and what whoever was called has asked for.
import type { Random } from './random.ts';

export interface BackoffBounds {
  /** The most that is waited the first time. */
  readonly baseMs: number;
  /** The most that is waited after any number of times. */
  readonly capMs: number;
}

/** The longest that a `Retry-After` is believed. */
const mostRetryAfterMs = 3_600_000;

/** Milliseconds to wait after so many failures in a row (1 for the first): anything up to the most (full jitter). */
export function retryDelayMs(failuresCount: number, bounds: BackoffBounds, random: Random, retryAfterMs = 0): number {
  return delayMs(mostMs(failuresCount, bounds) * random.fraction(), retryAfterMs);
}

/** Milliseconds until something is looked at for the `count`th time in a row (1 for the first): half of the most at least. */
export function waitMs(count: number, bounds: BackoffBounds, random: Random, retryAfterMs = 0): number {
  return delayMs(mostMs(count, bounds) * (0.5 + random.fraction() / 2), retryAfterMs);
}

function mostMs(count: number, { baseMs, capMs }: BackoffBounds): number {
  return Math.min(capMs, baseMs * 2 ** Math.min(Math.max(count - 1, 0), 30));
}

function delayMs(drawnMs: number, retryAfterMs: number): number {
  return Math.max(Math.ceil(drawnMs), Math.min(retryAfterMs, mostRetryAfterMs));
}
