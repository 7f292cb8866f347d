// Whether the shell lives in which npm runs a script. A signal that npm is sent ends that shell, and many a shell does
// not pass it on: that it is gone is all that the script ever hears.
import { systemClock } from './clock.ts';

const lookEveryMs = 500;

/** Resolves to true once it is gone, to false when `signal` aborts; without npm only the latter. */
export async function npmShellGone(signal: AbortSignal): Promise<boolean> {
  const startedBy = process.ppid;
  if (process.env['npm_lifecycle_event'] === undefined) return false;
  while (!signal.aborted) {
    if (process.ppid !== startedBy) return true;
    await systemClock.sleep(lookEveryMs, signal);
  }
  return false;
}
