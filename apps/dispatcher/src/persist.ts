// Keeps background work going through the world's faults. A bug is none: it ends the process.
import { Logger } from '@nestjs/common';
import { type BackoffBounds, type Clock, isWorldFault, type Random, retryDelayMs } from '#runtime';

export interface Persistence {
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
}

const bounds: BackoffBounds = { baseMs: 500, capMs: 15_000 };

/**
 * Runs `pass` again and again until it answers false or the signal aborts; after a fault it waits, ever longer.
 * Throws a bug.
 */
export async function persist(
  name: string,
  { clock, random, signal }: Persistence,
  pass: () => Promise<boolean>,
): Promise<void> {
  const logger = new Logger(name);
  let failuresCount = 0;
  while (!signal.aborted) {
    try {
      if (!(await pass())) return;
      failuresCount = 0;
    } catch (error) {
      if (!isWorldFault(error)) throw error;
      failuresCount += 1;
      const delayMs = retryDelayMs(failuresCount, bounds, random);
      logger.warn(`trying again in ${delayMs} ms: ${error instanceof Error ? error.message : String(error)}`);
      await clock.sleep(delayMs, signal);
    }
  }
}
