// The only place that reads the machine's clock or sleeps.
import { setMaxListeners } from 'node:events';

/** The process's clock. Decisions never depend on it; waiting, tokens and reports do. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after `durationMs`, or when `signal` aborts. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (durationMs, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const timer = setTimeout(done, Math.min(Math.max(durationMs, 0), 0x7fffffff));
      function done(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      }
      if (signal === undefined) return;
      // Everything that stops with the process waits on one signal: that is many, and no leak.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', done);
    }),
};
