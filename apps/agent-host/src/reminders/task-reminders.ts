// The reminders of the tasks of one store, as the rest of the host sees them. What tasks' own events say to reminders the
// store takes by itself, in the same transaction; the rest is asked for here.
import type { InjectAnswer, InjectRequest, Input, Refused, ReminderBounds, State } from '#reminders';
import type { TaskKey, TaskScope, TaskWatch } from '../store/task-store.ts';

export interface ContextKey extends TaskScope {
  readonly contextId: string;
}

/** Every method may throw `StorageUnavailableError` (retryable). */
export interface TaskReminders {
  /** What may be asked for. */
  readonly bounds: ReminderBounds;
  /** Another user's task is unknown, like one that is not there. */
  inject(key: TaskKey, request: InjectRequest, at: string, newId: string): Promise<InjectAnswer | Refused>;
  /** What is so now; nothing waits for it. */
  look(context: ContextKey): Promise<State>;
  /** Takes the inputs, all or none, and tells subscribers. The state after them. */
  take(context: ContextKey, inputs: readonly Input[]): Promise<State>;
  /** Wakes the run of a task that is told at once, and, within a second, whoever missed it. */
  watch(key: TaskKey): TaskWatch;
}

/** Applications and users are no part of each other's names. */
export function contextNameOf({ application, user, contextId }: ContextKey) {
  return { owner: JSON.stringify([application, user]), contextId };
}

/** What wakes a task's run is not what wakes who follows the task. No id has NUL in it. */
export function runOf(key: TaskKey): TaskKey {
  return { ...key, taskId: `${key.taskId}\0run` };
}
