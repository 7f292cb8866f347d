// Waits for the caller's next message of a task, through whichever process it comes, and over outages of the store: a
// question that was asked is still asked when it is back.
import type { Message } from '@a2a-js/sdk';
import { StorageUnavailableError } from '#runtime';
import type { TaskKey, TaskStore } from '../store/task-store.ts';

/** The first message past the version; undefined where the signal aborts first. */
export async function nextMessage(
  tasks: Pick<TaskStore, 'eventsAfter' | 'watch'>,
  key: TaskKey,
  version: number,
  signal: AbortSignal,
): Promise<Message | undefined> {
  const watch = tasks.watch(key);
  try {
    while (!signal.aborted) {
      for (const event of await eventsOrNone(tasks, key, version)) {
        if (event.type === 'messageReceived') return event.message;
      }
      await watch.next(signal);
    }
    return undefined;
  } finally {
    watch.close();
  }
}

/** None while the store is away. */
async function eventsOrNone(
  tasks: Pick<TaskStore, 'eventsAfter'>,
  key: TaskKey,
  version: number,
): ReturnType<TaskStore['eventsAfter']> {
  try {
    return await tasks.eventsAfter(key, version);
  } catch (error) {
    if (error instanceof StorageUnavailableError) return [];
    throw error;
  }
}
