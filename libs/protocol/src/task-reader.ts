// The port to agents for who follows tasks: asks how one stands, or several, or to be told.
// What it must never do is infer a state: an agent that does not answer, or knows no such task, has said nothing.
import type { AgentTarget } from './messenger.ts';
import type { StreamPart } from './stream-part.ts';

/** A task as the agent shows it. */
export interface SeenTask {
  readonly taskId: string;
  /** The agent's own instant of its state, in epoch milliseconds, where it gives one. */
  readonly statusAtMs?: number;
  /** A2A JSON of 1.0. A state that is not said, or not known, is left out: it is no state. */
  readonly task: unknown;
}

/** A part of an agent's list of tasks, the newest state first. */
export interface SeenTasks {
  readonly tasks: readonly SeenTask[];
  /** Where it goes on; empty where it does not. */
  readonly nextPageToken: string;
}

/**
 * `away`: it could not be reached, or did not answer as one answers. `unknownTask`: it knows no such task.
 * `unsupported`: it does not do what was asked, or not for this task. `refused`: it says no for another reason.
 */
export type TaskReadFault = 'away' | 'unknownTask' | 'unsupported' | 'refused';

/** The agent did not say how it stands. */
export class TaskReadError extends Error {
  override readonly name = 'TaskReadError';
  readonly retryable: boolean;
  readonly fault: TaskReadFault;
  /** What the agent asked for, unbounded. */
  readonly retryAfterMs: number | undefined;

  constructor(fault: TaskReadFault, message: string, options: ErrorOptions & { readonly retryAfterMs?: number } = {}) {
    super(message, options);
    this.fault = fault;
    this.retryable = fault === 'away';
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Where an agent is to send what becomes of a task. */
export interface PushAddress {
  readonly taskId: string;
  readonly url: string;
  /** By which the receiver knows the agent. */
  readonly token: string;
}

/** Every method throws `TaskReadError` for whatever an agent or a network can do; `refused` also where the card offers no way. */
export interface TaskReader {
  read(target: AgentTarget, taskId: string, signal: AbortSignal): Promise<SeenTask>;
  /** A page of the tasks whose state is as new as `afterMs` or newer, artifacts included. 0.3 has no such thing. */
  list(
    target: AgentTarget,
    query: { readonly afterMs: number; readonly pageToken: string },
    signal: AbortSignal,
  ): Promise<SeenTasks>;
  /** What becomes of the task from here on, beginning with how it stands, until the agent, or `signal`, ends it. */
  follow(target: AgentTarget, taskId: string, signal: AbortSignal): AsyncIterable<StreamPart>;
  /** Asks the agent to send what becomes of the task. */
  askToPush(target: AgentTarget, address: PushAddress, signal: AbortSignal): Promise<void>;
}
