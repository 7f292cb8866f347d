// Token buckets, by the clock: of each only when it will be full again is kept, and nothing of one that is full.
import type { Clock } from './clock.ts';

const sweepAfter = 1_000;

export class Buckets {
  private readonly clock: Clock;
  private readonly fullAtMs = new Map<string, number>();
  private asksSinceSweep = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** When the bucket would be full, in epoch milliseconds, had `count` been taken, of which each comes in `eachMs`. */
  fullAfter(key: string, count: number, eachMs: number): number {
    return Math.max(this.fullAtMs.get(key) ?? 0, this.clock.now()) + count * eachMs;
  }

  /** So much was taken that it will be full then. */
  take(key: string, fullAtMs: number): void {
    this.sweep();
    this.fullAtMs.set(key, fullAtMs);
  }

  private sweep(): void {
    this.asksSinceSweep += 1;
    if (this.asksSinceSweep < sweepAfter) return;
    this.asksSinceSweep = 0;
    const nowMs = this.clock.now();
    for (const [key, fullAtMs] of this.fullAtMs) if (fullAtMs <= nowMs) this.fullAtMs.delete(key);
  }
}
