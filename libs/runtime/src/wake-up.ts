// A wake-up that is never lost: one that comes while nobody sleeps ends the next sleep at once.
import type { Clock } from './clock.ts';
import { linked } from './linked.ts';

export class WakeUp {
  private readonly clock: Clock;
  /** True where a wake-up came and nobody has slept since. */
  isDue = false;
  private sleeping: AbortController | undefined;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Whoever looks at everything anew from here on needs no wake-up that came before. */
  take(): void {
    this.isDue = false;
  }

  wake(): void {
    this.isDue = true;
    this.sleeping?.abort();
  }

  /** Resolves once woken, after `durationMs`, or when the signal aborts. One sleeper at a time. */
  async sleep(durationMs: number, signal: AbortSignal): Promise<void> {
    const sleeping = new AbortController();
    if (!this.isDue) {
      this.sleeping = sleeping;
      await linked(signal, sleeping, () => this.clock.sleep(durationMs, sleeping.signal));
      this.sleeping = undefined;
    }
    this.isDue = false;
  }
}
