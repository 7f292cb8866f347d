// Where a run comes to rest, for a caller who waits for it, and may leave before.
import type { Rest, Run } from '../run/run.ts';

/**
 * The run's rest. Where the signal aborts before, the caller has left: a run that has no Task is told to end, since nobody
 * could have its answer; one that has goes on.
 */
export async function restOfRun(run: Run, signal: AbortSignal): Promise<Rest> {
  const leave = (): void => void run.leave();
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave);
  try {
    return await run.rest;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
