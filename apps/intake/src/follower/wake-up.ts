// A sleep that somebody may end. A wake-up that comes while nobody sleeps ends the next sleep at once.
import { type Clock, linked } from '#runtime';

export class WakeUp {
  private isDue = false;
  private sleeping: AbortController | undefined;

  constructor(private readonly clock: Clock) {}

  wake(): void {
    this.isDue = true;
    this.sleeping?.abort();
  }

  /** Resolves once woken, after `durationMs`, or when the signal aborts. One sleeper at a time. */
  async sleep(durationMs: number, signal: AbortSignal): Promise<void> {
    const sleeping = new AbortController();
    this.sleeping = sleeping;
    if (!this.isDue) await linked(signal, sleeping, () => this.clock.sleep(durationMs, sleeping.signal));
    this.sleeping = undefined;
    this.isDue = false;
  }
}
