// What a running turn is to have in its context. Asked of the state after the decision.
import type { Event } from './event.ts';
import type { Reminder, ReminderName } from './reminder.ts';
import { findLive, findTask, type State } from './state.ts';

/** All that the task's running turn has been told so far and that is live, in the order told; none where none runs. */
export function toldInTurn(state: State, taskId: string): readonly Reminder[] {
  return findTask(state, taskId)?.running?.told.flatMap((name) => reminderOf(state, name)) ?? [];
}

/** Whom the events tell what: the running turns of these tasks, in order. */
export interface Told {
  readonly taskId: string;
  /** `at_once`: the run may restart its step. */
  readonly when: 'begin' | 'step' | 'at_once';
  readonly reminders: readonly Reminder[];
}

/** `after` is the state with the events folded. */
export function toldBy(after: State, events: readonly Event[]): readonly Told[] {
  return events.flatMap((event): Told[] => {
    if (event.type !== 'remindersTold') return [];
    const { taskId, when, reminders } = event;
    return [{ taskId, when, reminders: reminders.flatMap((name) => reminderOf(after, name)) }];
  });
}

function reminderOf(state: State, name: ReminderName): Reminder[] {
  const live = findLive(state, name);
  return live === undefined ? [] : [live.reminder];
}
