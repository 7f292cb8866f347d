// Waits for the caller's next message of a task, through whichever process it comes.
import type { Message } from '@a2a-js/sdk';
import type { TaskKey, TaskStore } from '../store/task-store.ts';

/** The first message past the version; undefined where the signal aborts first. */
export async function nextMessage(
  tasks: TaskStore,
  key: TaskKey,
  version: number,
  signal: AbortSignal,
): Promise<Message | undefined> {
  const watch = tasks.watch(key);
  try {
    while (!signal.aborted) {
      for (const event of await tasks.eventsAfter(key, version)) {
        if (event.type === 'messageReceived') return event.message;
      }
      await watch.next(signal);
    }
    return undefined;
  } finally {
    watch.close();
  }
}
