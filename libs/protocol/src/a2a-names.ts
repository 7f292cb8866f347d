// A2A's names of states and roles, in every spelling that is in the field, as the names of 1.0 (proto-JSON).

const states: readonly string[] = [
  'TASK_STATE_UNSPECIFIED',
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
];

// 0.3's JSON names, and its proto's own spelling of one.
const legacyStates: ReadonlyMap<string, string> = new Map([
  ['unknown', 'TASK_STATE_UNSPECIFIED'],
  ['submitted', 'TASK_STATE_SUBMITTED'],
  ['working', 'TASK_STATE_WORKING'],
  ['completed', 'TASK_STATE_COMPLETED'],
  ['failed', 'TASK_STATE_FAILED'],
  ['canceled', 'TASK_STATE_CANCELED'],
  ['input-required', 'TASK_STATE_INPUT_REQUIRED'],
  ['rejected', 'TASK_STATE_REJECTED'],
  ['auth-required', 'TASK_STATE_AUTH_REQUIRED'],
  ['TASK_STATE_CANCELLED', 'TASK_STATE_CANCELED'],
]);

/**
 * The state by its name in 1.0. A text that is no known name stays as it is (it is neither terminal nor interrupted);
 * null where there is no state at all, which the decider ignores: an unknown state must not answer a question.
 */
export function stateName(state: unknown): string | null {
  if (typeof state === 'number') return states[state] ?? null;
  return typeof state === 'string' && state !== '' ? (legacyStates.get(state) ?? state) : null;
}

export type RoleName = 'ROLE_USER' | 'ROLE_AGENT';

/** The role by its name in 1.0; undefined where it is neither. */
export function roleName(role: unknown): RoleName | undefined {
  if (role === 'ROLE_USER' || role === 'user' || role === 1) return 'ROLE_USER';
  if (role === 'ROLE_AGENT' || role === 'agent' || role === 2) return 'ROLE_AGENT';
  return undefined;
}
