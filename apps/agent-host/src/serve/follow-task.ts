// A task as its events come, for who follows it, from whatever process runs it.
import type { StreamResponse, Task, TaskStatus } from '@a2a-js/sdk';
import type { TaskKey, TaskStore } from '../store/task-store.ts';
import type { TaskEvent } from '../task/task-event.ts';
import { isInterrupted, isOver, stateOf } from '../task/task-state.ts';
import { changesStatus } from '../task/task-life.ts';
import { toStreamResponse } from '../task/told-task.ts';
import { type ReminderTelling, toldReminder } from './reminder-stream.ts';

/** From where on, and how, somebody follows. */
export interface Following {
  readonly task: Task;
  readonly version: number;
  readonly reminders: ReminderTelling;
}

/** Of who has fallen behind. */
const eventsAtOnce = 100;

/** Looks that find nothing: some are a second apart. */
const looksUntilSure = 60;

/** What has happened past the version, and what happens, until the task is over or asks for input, or the signal aborts. */
export async function* followTask(
  tasks: Pick<TaskStore, 'eventsAfter' | 'read' | 'watch'>,
  key: TaskKey,
  { task, version, reminders }: Following,
  signal: AbortSignal,
): AsyncGenerator<StreamResponse, void, undefined> {
  const watch = tasks.watch(key);
  try {
    let { status } = task;
    let idleCount = 0;
    for (let seen = version; !signal.aborted;) {
      const events = await tasks.eventsAfter(key, seen, eventsAtOnce);
      seen += events.length;
      for (const event of events) {
        const response =
          event.type === 'reminderUpdated'
            ? toldReminder(event.update, status, reminders)
            : toStreamResponse(event, { taskId: key.taskId, contextId: task.contextId });
        status = statusAfter(event, response) ?? status;
        if (response !== undefined) yield response;
        if (isLast(event)) return;
      }
      if (events.length > 0) continue;
      await watch.next(signal);
      // Of a task that was let go of while its follower did not read, nothing comes any more.
      idleCount += 1;
      if (idleCount % looksUntilSure === 0 && (await tasks.read(key)) === undefined) return;
    }
  } finally {
    watch.close();
  }
}

function statusAfter(event: TaskEvent, response: StreamResponse | undefined): TaskStatus | undefined {
  return changesStatus(event) && response?.payload?.$case === 'statusUpdate'
    ? response.payload.value.status
    : undefined;
}

function isLast(event: TaskEvent): boolean {
  return event.type === 'statusChanged' && (isOver(event.state) || isInterrupted(event.state));
}

/** The task once it is over, asks for input, or waits for work that nobody's turn does. */
export async function taskAtRest(tasks: TaskStore, key: TaskKey, signal: AbortSignal): Promise<Task | undefined> {
  const watch = tasks.watch(key);
  try {
    for (;;) {
      const stored = await tasks.read(key);
      if (stored === undefined || signal.aborted || stored.run === 'none') return stored?.task;
      if (isOver(stateOf(stored.task)) || isInterrupted(stateOf(stored.task))) return stored.task;
      await watch.next(signal);
    }
  } finally {
    watch.close();
  }
}
