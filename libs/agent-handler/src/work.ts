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

/** Something that somebody outside finishes: `Turn.externalWait` opens it. */
export interface ExternalWait {
  readonly name: string;
  /** Whoever has it may finish the wait, and nobody else may: hand it to them, and keep it nowhere. */
  readonly token: string;
  /** Where the result is posted, as JSON: `waits` below the card's first URL, and the token. */
  readonly url: string;
}

/** What became of queued work, or of a wait. */
export interface FinishedWork {
  /** The name of either. */
  readonly work: string;
  /** What the turn gave along. */
  readonly state: Json;
  /** Null where it is late. */
  readonly result: Json;
  /** The wait's time was over, and nobody had finished it. */
  readonly isLate?: boolean;
}
