// What stands in the way of telling the log, or of finding an agent, and passes: none of it is the agent's doing.
import { isWorldFault, Problem, SealBrokenError } from '#runtime';

/** False for a bug. */
export function isOwnFault(error: unknown): boolean {
  // A credential that cannot be unsealed is an operator's to see to, and no reason to stop.
  return error instanceof Problem || error instanceof SealBrokenError || isWorldFault(error);
}
