// What stands in the way of telling the log, or of finding an agent, and passes: none of it is the agent's doing.
import { isStorageDown, Problem } from '#runtime';

/** False for a bug. */
export function isOwnFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // A credential that cannot be unsealed is an operator's to see to, and no reason to stop.
  if (error instanceof Problem || error.name === 'SealBrokenError' || isStorageDown(error)) return true;
  return 'retryable' in error && error.retryable === true;
}
