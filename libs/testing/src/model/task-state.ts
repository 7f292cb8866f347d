// What A2A's task states mean to an expectation (semantics, *Task states and questions*). Any other string is neither.
import type { WithdrawalCause } from '#expectations';

/** Why a state withdraws what its task raised, or undefined where it does not. */
export function withdrawalOf(state: string): WithdrawalCause | undefined {
  if (state === 'TASK_STATE_CANCELED') return 'task_canceled';
  if (state === 'TASK_STATE_FAILED') return 'task_failed';
  return state === 'TASK_STATE_REJECTED' ? 'task_rejected' : undefined;
}

export function isTerminal(state: string): boolean {
  return state === 'TASK_STATE_COMPLETED' || withdrawalOf(state) !== undefined;
}

export function isInterrupted(state: string): boolean {
  return state === 'TASK_STATE_INPUT_REQUIRED' || state === 'TASK_STATE_AUTH_REQUIRED';
}
