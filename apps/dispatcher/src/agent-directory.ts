// The port to where agents are kept: whom to call for a lapse, and how.
import type { AgentTarget } from '#protocol';
import type { Dedupes } from '#runtime';

/** The injection token of an `AgentDirectory`. */
export const AGENT_DIRECTORY = Symbol('AgentDirectory');

/** Whom to call, and what is known of how. */
export interface RegisteredAgent extends AgentTarget {
  readonly dispatch?: {
    /** Whether the same message id twice is one task. */
    readonly dedupes?: Dedupes;
    /** How many calls it takes. */
    readonly ratePerMinute?: number;
  };
}

export interface AgentDirectory {
  /** Undefined where the tenant has no such agent. An error that is not `retryable` parks what waits for the agent. */
  find(tenant: string, agentId: string): Promise<RegisteredAgent | undefined>;
}
