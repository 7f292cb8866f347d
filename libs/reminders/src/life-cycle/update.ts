// What the subscribers of tasks are told of reminders (reminders, *Stream*).
import type { Event } from './event.ts';
import { evolve } from './evolve.ts';
import type { JsonMembers } from './input.ts';
import type { Reminder } from './reminder.ts';
import { findLive, isFor, type LiveReminder, type State } from './state.ts';

/** Absent from an update: it was accepted. */
export type ReminderReason = 'REMINDER_DEDUPED' | 'REMINDER_EXPIRED';

/** A `TaskReminderEvent`: the member `reminderUpdate` of a stream's response. */
export interface ReminderUpdate {
  /** Whose stream it is for; of a context's reminder each open task has an update of its own. */
  readonly taskId: string;
  readonly contextId: string;
  readonly reminder: Reminder;
  readonly reason?: ReminderReason;
  /** The inject's. */
  readonly metadata: JsonMembers;
}

/** `before` is the state without the events: what is gone after them is still known there. */
export function updatesOf(before: State, events: readonly Event[]): readonly ReminderUpdate[] {
  const updates: ReminderUpdate[] = [];
  let state = before;
  for (const event of events) {
    const after = evolve(state, event);
    if (event.type === 'reminderAccepted') {
      updates.push(...toAll(after, findLive(after, { taskId: event.taskId, reminderId: event.reminder.id })));
    } else if (event.type === 'reminderDisplaced') {
      updates.push(...toAll(state, findLive(state, event), 'REMINDER_DEDUPED'));
    } else if (event.type === 'reminderExpired') {
      updates.push(...toAll(state, findLive(state, event), 'REMINDER_EXPIRED'));
    }
    state = after;
  }
  return updates;
}

function toAll(state: State, live: LiveReminder | undefined, reason?: ReminderReason): ReminderUpdate[] {
  if (live === undefined) return [];
  return state.tasks
    .filter(({ taskId }) => isFor(live, taskId))
    .map(({ taskId }) => ({
      taskId,
      contextId: state.contextId,
      reminder: live.reminder,
      ...(reason !== undefined && { reason }),
      metadata: live.metadata ?? {},
    }));
}
