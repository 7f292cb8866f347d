// How long to wait before asking again: ever longer, each time by another draw, so that nobody asks all at once.
import type { Random } from '#runtime';

export interface WaitBounds {
  /** The most that is waited the first time. */
  readonly baseMs: number;
  /** The most that is waited after any number of times. */
  readonly capMs: number;
}

/** The longest that an agent's `Retry-After` is believed. */
const mostRetryAfterMs = 3_600_000;

/** Milliseconds to wait for the `count`th time in a row (1 for the first): half of the most at least, and what was asked for. */
export function waitMs(count: number, { baseMs, capMs }: WaitBounds, random: Random, retryAfterMs = 0): number {
  const most = Math.min(capMs, baseMs * 2 ** Math.min(Math.max(count - 1, 0), 30));
  return Math.max(Math.ceil(most * (0.5 + random.fraction() / 2)), Math.min(retryAfterMs, mostRetryAfterMs));
}
