// The port to agents: submits a lapse task, and looks for one that may have been submitted; tells what was refused.
// What an outcome must never do is claim more than is known: only `unreachable` and `refused` say that nothing was processed.
import type { CalledAgent } from './agent-calls.ts';
import type { LapseRequest } from './lapse-message.ts';
import type { RefusalsRequest } from './refusals-message.ts';

/** Whom to call: the agent's card as last read, and the credential it wants with whom that is for. */
export interface AgentTarget extends CalledAgent {
  readonly card: unknown;
}

export type SendOutcome =
  /** The agent has taken it. `taskId` is absent where it answered with a Message. */
  | { readonly outcome: 'acknowledged'; readonly taskId?: string }
  /** The agent said no. `permanent`: the same request will not go better. */
  | { readonly outcome: 'refused'; readonly cause: string; readonly permanent: boolean }
  /** It certainly did not process it. `retryAfterMs` is what it asked for, unbounded. */
  | { readonly outcome: 'unreachable'; readonly cause: string; readonly retryAfterMs?: number }
  /** It may have processed it: look before sending again. */
  | { readonly outcome: 'unknown'; readonly cause: string; readonly retryAfterMs?: number };

export type FindOutcome =
  | { readonly outcome: 'found'; readonly taskId: string }
  /** All tasks of the context were seen, and none is it. */
  | { readonly outcome: 'absent' }
  /** `temporary`: asking again may tell; else this agent cannot be asked (no ListTasks, no history). */
  | {
      readonly outcome: 'cannotTell';
      readonly cause: string;
      readonly temporary: boolean;
      /** It has answered, though with nothing that tells. */
      readonly answered?: true;
      readonly retryAfterMs?: number;
    };

/** Implementations answer with a value for everything an agent or a network can do, and never throw for it. */
export interface AgentMessenger {
  /** The longest that a send takes, until its outcome is there. */
  readonly timeoutMs: number;
  /** Sends once, activating the extensions that the message names. An abort by `signal` ends as `unknown`. */
  send(target: AgentTarget, request: LapseRequest | RefusalsRequest, signal: AbortSignal): Promise<SendOutcome>;
  /** Looks among the agent's tasks of the context for the one the request's message made. */
  find(target: AgentTarget, request: LapseRequest, signal: AbortSignal): Promise<FindOutcome>;
}
