// What the watcher may be told: the closed union of inputs of one tenant's log, in log order.
// It must never hold anything a decision could not be repeated from.

/** An RFC 3339 instant. Inputs take any well-formed one; events are always written in UTC with `Z`. */
export type InstantText = string;

/** A value as it came out of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The three ways an expectation lapses (Expectations §9.1). */
export type LapseKind = 'overdue' | 'skipped' | 'stalled';

/** An agent's card was read; `params` is what it declares under the extension's URI (§6.1). */
export interface AgentDeclared {
  readonly type: 'agentDeclared';
  readonly at: InstantText;
  readonly agentId: string;
  readonly params: unknown;
}

/** An artifact of a task was seen. Of the artifact only `metadata` is read. */
export interface ArtifactObserved {
  readonly type: 'artifactObserved';
  readonly at: InstantText;
  readonly agentId: string;
  readonly taskId: string;
  readonly contextId: string;
  readonly artifact: unknown;
  /** False where the request that brought it had not activated the extension (§7). */
  readonly activated?: boolean;
}

/** A task's status was seen: its state first, then its message's block (semantics, *Task states*). */
export interface StatusObserved {
  readonly type: 'statusObserved';
  readonly at: InstantText;
  readonly agentId: string;
  readonly taskId: string;
  readonly contextId: string;
  readonly state: unknown;
  /** A2A's `status.timestamp`. */
  readonly statusAt?: unknown;
  readonly message?: unknown;
  readonly activated?: boolean;
}

/** The agent has accepted the answer to a task that waited for one (§11); appended by a watcher that is the client. */
export interface AnswerObserved {
  readonly type: 'answerObserved';
  readonly at: InstantText;
  readonly agentId: string;
  readonly taskId: string;
  readonly reporter: string;
  /** What the agent asks in the very answer that accepted it: that is not answered by it. */
  readonly except?: readonly string[];
}

/** One fact (§9.2): short for `factsReported` with one. `reporter` is trusted; the fact's own `source` is not read. */
export interface FactReported {
  readonly type: 'factReported';
  readonly at: InstantText;
  readonly reporter: string;
  readonly fact: unknown;
}

/** One report: its facts are applied together (semantics, *Facts*). */
export interface FactsReported {
  readonly type: 'factsReported';
  readonly at: InstantText;
  readonly reporter: string;
  readonly facts: readonly unknown[];
}

/** Nothing arrived, and time has passed. */
export interface Tick {
  readonly type: 'tick';
  readonly at: InstantText;
}

/** A setting changed, for the tenant or for one agent; it counts from this input on. */
export interface Configured {
  readonly type: 'configured';
  readonly at: InstantText;
  readonly agentId?: string;
  readonly settings: unknown;
}

interface DispatchInput {
  readonly at: InstantText;
  readonly agentId: string;
  readonly expectationId: string;
  readonly lapse: LapseKind;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/** The dispatcher asks leave to send a lapse task: answered `dispatchAttempted` or `dispatchVoided`. */
export interface DispatchAttempted extends DispatchInput {
  readonly type: 'dispatchAttempted';
  /** An earlier attempt may be with the agent, which cannot tell: this one may make a second task. */
  readonly possibleDuplicate?: true;
}

/** The agent has taken the lapse task. `taskId` is absent where it answered with a Message. */
export interface DispatchAcknowledged extends DispatchInput {
  readonly type: 'dispatchAcknowledged';
  readonly taskId?: string;
}

/** How a send ended without an acknowledgement. */
export type DispatchOutcome = 'refused' | 'unknown' | 'unreachable' | 'parked';

/** A send failed; retries alone stay in the dispatcher's outbox. */
export interface DispatchFailed extends DispatchInput {
  readonly type: 'dispatchFailed';
  readonly outcome: DispatchOutcome;
  readonly cause: string;
}

export type Input =
  | AgentDeclared
  | ArtifactObserved
  | StatusObserved
  | AnswerObserved
  | FactReported
  | FactsReported
  | Tick
  | Configured
  | DispatchAttempted
  | DispatchAcknowledged
  | DispatchFailed;

type Untimed<I> = I extends unknown ? Omit<I, 'at'> : never;

/** An input that has no instant yet: the log gives it. */
export type UntimedInput = Untimed<Input>;
