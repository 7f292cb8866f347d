// The port to where agents are kept: whom to call for a lapse, and how.
import type { AgentTarget } from '#protocol';

/** The injection token of an `AgentDirectory`. */
export const AGENT_DIRECTORY = Symbol('AgentDirectory');

export interface AgentDirectory {
  /** Undefined where the tenant has no such agent. An error that is not `retryable` parks what waits for the agent. */
  find(tenant: string, agentId: string): Promise<AgentTarget | undefined>;
}
