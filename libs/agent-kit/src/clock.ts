// The kit's own clock, so that nothing of it needs the watcher's. The only file of the kit that reads the machine's.
import { setMaxListeners } from 'node:events';

/** What the kit asks for the time; give it another in tests. */
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
      setMaxListeners(0, signal);
      signal.addEventListener('abort', done);
    }),
};
