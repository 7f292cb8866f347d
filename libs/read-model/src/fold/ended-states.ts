// When a task is over.

/** The states after which A2A says nothing more of a task. */
export const endedStates: readonly string[] = [
  'TASK_STATE_COMPLETED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_FAILED',
  'TASK_STATE_REJECTED',
];
