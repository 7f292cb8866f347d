// When the next tick is due, by the log's clock as far as it is known. A tick says that time has passed and nothing else.
import type { Clock } from '#runtime';

/** An idle partition ticks so often, which also measures how far the two clocks differ. */
export const IDLE_TICK_MS = 5_000;

export class Ticker {
  private difference = 0;
  private lastTickAtMs = -Infinity;

  constructor(private readonly clock: Clock) {}

  /** The log's clock minus the process's, as it was measured last. */
  get differenceMs(): number {
    return this.difference;
  }

  /** A record was appended just now, at this instant of the log. */
  measure(appendedAtMs: number): void {
    this.difference = appendedAtMs - this.clock.now();
  }

  /** A tick was appended. */
  ticked(appendedAtMs: number): void {
    this.measure(appendedAtMs);
    this.lastTickAtMs = this.clock.now();
  }

  /**
   * How long to wait before a tick, in milliseconds; 0 or less: now. A deadline has passed one millisecond after it.
   * Never longer than an idle partition waits, and not at all where the process's clock has been set back: what was
   * measured before is then worth nothing.
   */
  untilTick(deadlineMs: number | undefined): number {
    const now = this.clock.now();
    if (now < this.lastTickAtMs) return 0;
    const untilIdle = this.lastTickAtMs + IDLE_TICK_MS - now;
    if (deadlineMs === undefined) return untilIdle;
    return Math.min(untilIdle, deadlineMs + 1 - (now + this.difference));
  }
}
