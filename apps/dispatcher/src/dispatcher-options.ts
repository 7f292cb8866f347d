// What a deployment, or a test, may set of the dispatcher, and the port it sends through.
import type { BackoffBounds, Config } from '#runtime';
import type { SendRatesOptions } from './send-rates.ts';

/** The injection token of an `AgentMessenger` (`#protocol`). */
export const AGENT_MESSENGER = Symbol('AgentMessenger');

/** The injection token of `DispatcherOptions`; optional. */
export const DISPATCHER_OPTIONS = Symbol('DispatcherOptions');

export interface DispatcherOptions {
  /** From 1 s to 10 min unless given. */
  readonly backoff?: BackoffBounds;
  /** How long what is being sent may take once the dispatcher is told to stop; 5 s unless given. */
  readonly stopGraceMs?: number;
  /** How many calls a minute. */
  readonly rates?: SendRatesOptions;
  /** How often a minute an agent is told of what was refused; 6 unless given. */
  readonly refusalsPerMinute?: number;
  /** How often a minute an agent is reminded; 60 unless given. */
  readonly remindersPerMinute?: number;
}

/** What the deployment's configuration sets. */
export function dispatcherOptions({ agentPerMinute, tenantPerMinute }: Config): DispatcherOptions {
  return {
    rates: {
      ...(agentPerMinute !== undefined && { agentPerMinute }),
      ...(tenantPerMinute !== undefined && { tenantPerMinute }),
    },
  };
}
