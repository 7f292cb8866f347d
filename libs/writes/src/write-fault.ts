// Why the log was not told. It must never take a bug for what passes.
import { LogUnavailableError } from '#event-log';
import { isStorageDown, Problem } from '#runtime';

/** The world's fault, of what a write may throw; `Problem` says that too much is under way. False for a bug. */
export function isWriteFault(error: unknown): boolean {
  return error instanceof LogUnavailableError || error instanceof Problem || isStorageDown(error);
}
