// The artifact or status message that carries a block, and of whom.
import type { Agent } from './state/agent.ts';

/** Where expectations are raised. */
export interface Carrier {
  readonly agent: Agent;
  readonly taskId: string;
  readonly contextId: string;
  readonly isActivated: boolean;
  /** A status message can ask; an artifact cannot (§11). */
  readonly isStatus: boolean;
}
