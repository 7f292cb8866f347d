// One signal that aborts with another, for as long as something takes. `AbortSignal.any` with a signal that lives as
// long as the process keeps an entry of every signal that was ever made of it.
import { setMaxListeners } from 'node:events';

/** Runs `work` while `controller` also aborts with `signal`. */
export async function linked<T>(signal: AbortSignal, controller: AbortController, work: () => Promise<T>): Promise<T> {
  const abort = (): void => controller.abort(signal.reason);
  if (signal.aborted) abort();
  // Everything that stops with the process listens to one signal: that is many, and no leak.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', abort);
  try {
    return await work();
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
