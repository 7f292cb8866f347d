// What ends reminders from outside: their task, their context, a compaction.
import type { Deciding } from './deciding.ts';
import type { ExpiryCause } from './event.ts';
import type { InstantText, RemindersCarried } from './input.ts';
import { findLive, findTask, isSession, type LiveReminder } from './state.ts';
import { endTurn } from './turns.ts';

/** The task's own reminders end with it; the context's with its last open task. */
export function endTask(deciding: Deciding, at: InstantText, taskId: string): void {
  if (findTask(deciding.state, taskId) === undefined) return;
  endTurn(deciding, at, taskId);
  expire(deciding, at, 'task_ended', (live) => !isSession(live) && live.taskId === taskId);
  if (deciding.state.tasks.length === 1) expire(deciding, at, 'context_ended', () => true);
  deciding.emit({ type: 'taskEnded', at, taskId });
}

/** Those that are gone in the meantime are told of already. */
export function handOn(deciding: Deciding, { at, reminders }: RemindersCarried): void {
  for (const { taskId, reminderId } of reminders) {
    const isLive = findLive(deciding.state, { taskId, reminderId }) !== undefined;
    if (isLive) deciding.emit({ type: 'reminderCarried', at, taskId, reminderId });
  }
}

export function compact(deciding: Deciding, at: InstantText): void {
  expire(deciding, at, 'compacted', ({ reminder }) => !reminder.preserveOnCompact);
}

function expire(
  deciding: Deciding,
  at: InstantText,
  cause: ExpiryCause,
  isOver: (live: LiveReminder) => boolean,
): void {
  for (const live of deciding.state.live) {
    if (isOver(live)) {
      deciding.emit({ type: 'reminderExpired', at, taskId: live.taskId, reminderId: live.reminderId, cause });
    }
  }
}
