// A task of an agent: its state as last seen, and the open expectations it raised or is asked about.
import type { Agent } from './agent.ts';
import type { Expectation } from './expectation.ts';

export class Task {
  /** Null where no status is remembered. */
  state: string | null = null;
  /** The latest `statusAt` seen, in epoch milliseconds, or -Infinity. */
  statusAt = -Infinity;
  /** When the latest status was applied, by the log. */
  appliedAt = -Infinity;
  /** Its memory was over while something open needed it. */
  isOverstayed = false;
  raised: Expectation[] = [];
  readonly questions: Expectation[] = [];

  constructor(
    readonly agent: Agent,
    readonly id: string,
    readonly contextId: string,
  ) {}

  get isNeeded(): boolean {
    return this.raised.length > 0 || this.questions.length > 0;
  }
}

export const INPUT_REQUIRED = 'TASK_STATE_INPUT_REQUIRED';
export const AUTH_REQUIRED = 'TASK_STATE_AUTH_REQUIRED';
export const COMPLETED = 'TASK_STATE_COMPLETED';

/** The terminal states that withdraw what the task raised (§8.1), and the cause each gives. */
export const withdrawingStates: ReadonlyMap<string, 'task_canceled' | 'task_failed' | 'task_rejected'> = new Map([
  ['TASK_STATE_CANCELED', 'task_canceled'],
  ['TASK_STATE_FAILED', 'task_failed'],
  ['TASK_STATE_REJECTED', 'task_rejected'],
]);

/** The states after which A2A says nothing more of a task. */
export const terminalStates: readonly string[] = [COMPLETED, ...withdrawingStates.keys()];

export function isTerminal(state: string | null): boolean {
  return state !== null && (state === COMPLETED || withdrawingStates.has(state));
}

export function isInterrupted(state: unknown): boolean {
  return state === INPUT_REQUIRED || state === AUTH_REQUIRED;
}
