// Work that is queued: it outlives the turn that asked for it, and the process.
import type { Json } from './content.ts';

export interface Work {
  /**
   * May it be done again where the process that did it has ended in the middle? Unless it may, the task then fails:
   * nothing is done twice.
   */
  readonly isRepeatable?: boolean;
  /** Does it. `signal` aborts where the task is canceled. */
  perform(payload: Json, signal: AbortSignal): Promise<Json>;
}

/** What became of queued work. */
export interface FinishedWork {
  readonly work: string;
  /** What the turn gave along. */
  readonly state: Json;
  readonly result: Json;
}
