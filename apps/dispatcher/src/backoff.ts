// How long to wait before trying again: capped exponential backoff with full jitter, and what the agent asked for.
import type { Random } from '#runtime';

export interface BackoffBounds {
  /** The most that is waited after the first failure. */
  readonly baseMs: number;
  /** The most that is waited after any number of them. */
  readonly capMs: number;
}

/** The longest that an agent's `Retry-After` is believed. */
export const MAX_RETRY_AFTER_MS = 3_600_000;

/** Milliseconds to wait after so many failures in a row (1 for the first). */
export function retryDelayMs(
  failuresCount: number,
  bounds: BackoffBounds,
  random: Random,
  retryAfterMs?: number,
): number {
  const most = Math.min(bounds.capMs, bounds.baseMs * 2 ** Math.min(failuresCount - 1, 30));
  const jittered = Math.ceil(random.fraction() * most);
  return Math.max(jittered, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
}
