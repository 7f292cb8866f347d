// Work that is done now and then beside deciding, until the process stops.
import type { Clock } from '#runtime';

const PERIOD_MS = 60_000;

export class Periodically {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly clock: Clock) {}

  /** Does the work once a minute, one time after the other. It must not throw; `signal` aborts when it is to end. */
  start(work: (signal: AbortSignal) => Promise<void>): void {
    this.running = this.run(work);
  }

  /** Resolves once what was under way has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.clock.sleep(PERIOD_MS, signal);
      await work(signal);
    }
  }
}
