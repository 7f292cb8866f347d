// Whether an agent answers, by this process's own experience. While it does not, only its oldest lapse is tried.
import type { Random } from '#runtime';
import { type BackoffBounds, retryDelayMs } from './backoff.ts';

export class AgentHealth {
  private readonly bounds: BackoffBounds;
  private readonly random: Random;
  private failuresCount = 0;
  private roundDelayMs: number | undefined;

  constructor(bounds: BackoffBounds, random: Random) {
    this.bounds = bounds;
    this.random = random;
  }

  /** How long what was sent, and not answered, may take to show at the agent. */
  get settlingMs(): number {
    return this.bounds.baseMs;
  }

  get isFailing(): boolean {
    return this.failuresCount > 0;
  }

  /** The agent could not be reached, or did not answer: how long to wait, at least what it asked for. */
  failed(retryAfterMs?: number): number {
    const delayMs = retryDelayMs(this.failuresCount + 1, this.bounds, this.random, retryAfterMs);
    this.roundDelayMs = Math.max(this.roundDelayMs ?? 0, delayMs);
    return delayMs;
  }

  /** Ends a round of attempts that were under way together: they count as one failure. Returns how long to wait. */
  endRound(): number {
    const delayMs = this.roundDelayMs;
    this.roundDelayMs = undefined;
    this.failuresCount = delayMs === undefined ? 0 : this.failuresCount + 1;
    return delayMs ?? 0;
  }

  reset(): void {
    this.failuresCount = 0;
  }
}
