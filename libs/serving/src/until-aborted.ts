// Waiting for a signal.
import { setMaxListeners } from 'node:events';

/** Resolves once the signal has aborted. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    // One signal ends all partitions' work.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
