// Ends a task that no run of its own will: by whoever has taken it over.
import type { TaskState } from '@a2a-js/sdk';
import type { Clock, NewId } from '#runtime';
import { agentMessage } from '../run/content.ts';
import type { TaskKey, TaskStore } from './task-store.ts';

export interface TaskEnd {
  readonly epoch: number;
  readonly state: TaskState;
  /** What its callers are told; nothing beside the state where it is absent. */
  readonly text?: string;
}

/** Under the epoch that taking it over has given. */
export async function endTask(
  { tasks, clock, newId }: { readonly tasks: Pick<TaskStore, 'append'>; readonly clock: Clock; readonly newId: NewId },
  key: TaskKey,
  { epoch, state, text }: TaskEnd,
): Promise<void> {
  const at = new Date(clock.now()).toISOString();
  const message = text === undefined ? {} : { message: agentMessage(newId(), text) };
  await tasks.append(key, { epoch }, [{ type: 'statusChanged', at, state, ...message }]);
}
