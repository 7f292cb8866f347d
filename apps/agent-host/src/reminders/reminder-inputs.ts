// What a task's events mean to the reminders of its context: tasks opened and ended, turns begun and ended, what a message
// carries. Pure. A turn runs from a message, or from work that is finished, until the task rests.
import { TaskState } from '@a2a-js/sdk';
import { type Input, isOver as isContextOver, type ReminderInjected, type State } from '#reminders';
import type { TaskEvent } from '../task/task-event.ts';
import { isInterrupted, isOver } from '../task/task-state.ts';
import type { CarriedReminder } from './carried-reminders.ts';

/** May events like these say anything to them? Pieces of an answer do not. */
export function concernsReminders(events: readonly TaskEvent[], then?: 'release'): boolean {
  return (
    then === 'release' || events.some(({ type }) => ['submitted', 'messageReceived', 'statusChanged'].includes(type))
  );
}

/** The inputs of one event, the `place`th of its task, in order. */
export function inputsOf(state: State, taskId: string, event: TaskEvent, place: number): readonly Input[] {
  const { at } = event;
  const opened: Input = { type: 'taskOpened', at, taskId };
  const began: Input = { type: 'turnBegan', at, taskId, turnId: String(place) };
  switch (event.type) {
    case 'submitted':
      return [opened, ...injected(taskId, at, event.reminders)];
    case 'messageReceived':
      return [opened, ...injected(taskId, at, event.reminders), began];
    case 'statusChanged':
      if (isOver(event.state)) return [{ type: 'taskEnded', at, taskId }];
      if (isInterrupted(event.state)) return [{ type: 'turnEnded', at, taskId }];
      return event.state === TaskState.TASK_STATE_WORKING && !hasTurn(state, taskId) ? [began] : [];
    case 'artifactUpdated':
    case 'progressReported':
    case 'reminderUpdated':
      return [];
  }
}

/**
 * All that a turn means which is answered with a Message: to its context it is a task like any. `toldIds`: what it was told,
 * where that is known.
 */
export function inputsOfUntracked(
  taskId: string,
  at: string,
  carried: readonly CarriedReminder[],
  toldIds?: readonly string[],
): { readonly begin: readonly Input[]; readonly end: readonly Input[] } {
  const opened: Input = { type: 'taskOpened', at, taskId };
  const began: Input = { type: 'turnBegan', at, taskId, turnId: '1', ...(toldIds && { toldIds }) };
  return {
    begin: [opened, ...injected(taskId, at, carried), began],
    end: [
      { type: 'turnEnded', at, taskId },
      { type: 'taskEnded', at, taskId },
    ],
  };
}

export function injected(
  taskId: string,
  at: string,
  carried: readonly CarriedReminder[] = [],
): readonly ReminderInjected[] {
  return carried.map(({ draft, contentHash }) => {
    const newId = draft.id ?? '';
    return { type: 'reminderInjected', at, taskId, isTerminal: false, draft, contentHash, newId };
  });
}

function hasTurn(state: State, taskId: string): boolean {
  return !isContextOver(state) && state.tasks.some((task) => task.taskId === taskId && task.running !== undefined);
}
