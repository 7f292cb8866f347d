// Keeps background work going through the world's faults. A bug is none: it ends the process.
import { Logger } from '@nestjs/common';
import { type BackoffBounds, type Clock, isStorageDown, type Random, retryDelayMs } from '#runtime';

export interface Persistence {
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
}

const bounds: BackoffBounds = { baseMs: 500, capMs: 15_000 };

// PostgreSQL: conflicts (40), resources (53), I/O (58); what has no connection is `isStorageDown`.
const temporary = /^(40|53|58)/;
const poolIsBusy = /timeout exceeded when trying to connect/;

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
      if (!isFault(error)) throw error;
      failuresCount += 1;
      const delayMs = retryDelayMs(failuresCount, bounds, random);
      logger.warn(`trying again in ${delayMs} ms: ${error instanceof Error ? error.message : String(error)}`);
      await clock.sleep(delayMs, signal);
    }
  }
}

/** Whether the world is at fault, so that the same may go well later. */
export function isFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('retryable' in error) return error.retryable === true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (isStorageDown(error) || temporary.test(code) || poolIsBusy.test(error.message)) return true;
  return 'driverError' in error && isFault(error.driverError);
}
