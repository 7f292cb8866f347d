// A clock that moves when a test says so. Nothing of the machine's time reaches whoever sleeps on it.
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '#runtime';

interface Sleeper {
  /** By the time slept through, which no correction of the clock changes. */
  readonly wakesAtMs: number;
  readonly wake: () => void;
}

export class ManualClock implements Clock {
  /** Time slept through since the beginning. */
  private sleptMs = 0;
  /** What the clock shows beyond that. */
  private offsetMs: number;
  private readonly sleepers = new Set<Sleeper>();

  /** `startMs`: what it shows at first, in epoch milliseconds. */
  constructor(startMs: number) {
    this.offsetMs = startMs;
  }

  now(): number {
    return this.sleptMs + this.offsetMs;
  }

  /** How many sleep. */
  get sleeperCount(): number {
    return this.sleepers.size;
  }

  sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const wake = (): void => {
        this.sleepers.delete(sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { wakesAtMs: this.sleptMs + Math.max(durationMs, 0), wake };
      this.sleepers.add(sleeper);
      signal?.addEventListener('abort', wake);
    });
  }

  /**
   * Lets time pass. Whoever sleeps wakes at its own instant, one after the other, and does what it does until it sleeps
   * again, before time goes on.
   */
  async advance(durationMs: number): Promise<void> {
    const untilMs = this.sleptMs + durationMs;
    await this.settle();
    for (let next = this.earliest(); next !== undefined && next.wakesAtMs <= untilMs; next = this.earliest()) {
      this.sleptMs = Math.max(this.sleptMs, next.wakesAtMs);
      next.wake();
      await this.settle();
    }
    this.sleptMs = untilMs;
  }

  /** Sets the clock forward, or back, as an operator would: nobody's sleep becomes shorter or longer. */
  correct(byMs: number): void {
    this.offsetMs += byMs;
  }

  /** Resolves once whatever needs no time is done. Input and output count as time. */
  async settle(): Promise<void> {
    // Long work lets others in between, now and then.
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
  }

  /** Of those who wake at one instant, who has slept longest. */
  private earliest(): Sleeper | undefined {
    let earliest: Sleeper | undefined;
    for (const sleeper of this.sleepers) {
      if (earliest === undefined || sleeper.wakesAtMs < earliest.wakesAtMs) earliest = sleeper;
    }
    return earliest;
  }
}
