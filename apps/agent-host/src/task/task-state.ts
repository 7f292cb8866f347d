// The states of a task, in three kinds.
import { type Task, TaskState } from '@a2a-js/sdk';

const terminal: ReadonlySet<TaskState> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
]);

/** Is it a state that a task can be in? */
export function isTaskState(state: number): boolean {
  return state > 0 && Object.hasOwn(TaskState, String(state));
}

/** Nothing happens to the task any more. */
export function isOver(state: TaskState): boolean {
  return terminal.has(state);
}

/** It waits for its caller. */
export function isInterrupted(state: TaskState): boolean {
  return state === TaskState.TASK_STATE_INPUT_REQUIRED || state === TaskState.TASK_STATE_AUTH_REQUIRED;
}

export function stateOf(task: Task): TaskState {
  return task.status?.state ?? TaskState.TASK_STATE_UNSPECIFIED;
}
