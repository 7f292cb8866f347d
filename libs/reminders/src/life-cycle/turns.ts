// What the turns of a task are told, and what they count down (reminders, *Turn* and *Mode*).
import type { Deciding } from './deciding.ts';
import type { RemindersTold } from './event.ts';
import type { InstantText, TurnBeganInput } from './input.ts';
import { findLive, findTask, isDue, isFor, isSame, type LiveReminder, type OpenTask } from './state.ts';

export function openTask(deciding: Deciding, at: InstantText, taskId: string): void {
  if (findTask(deciding.state, taskId) === undefined) deciding.emit({ type: 'taskOpened', at, taskId });
}

/** Every live reminder that is due, whatever its mode, is in a turn's context from its beginning. */
export function beginTurn(deciding: Deciding, { at, taskId, turnId, toldIds }: TurnBeganInput): void {
  openTask(deciding, at, taskId);
  const before = findTask(deciding.state, taskId);
  if (before?.running?.turnId === turnId) return;
  endTurn(deciding, at, taskId);
  deciding.emit({ type: 'turnBegan', at, taskId, turnId, turn: (before?.turns ?? 0) + 1 });
  tell(deciding, at, taskId, 'begin', ({ reminderId }) => toldIds?.includes(reminderId) !== false);
}

/** One that waits for the turn's completion waits for the next turn. */
export function passStepBoundary(deciding: Deciding, at: InstantText, taskId: string): void {
  tell(deciding, at, taskId, 'step', ({ reminder }) => reminder.mode !== 'wait_for_completion');
}

/** Whatever turn of its context runs is told. */
export function tellAtOnce(deciding: Deciding, at: InstantText, interrupting: LiveReminder): void {
  for (const { taskId } of deciding.state.tasks) {
    tell(deciding, at, taskId, 'at_once', (live) => isSame(live, interrupting));
  }
}

function tell(
  deciding: Deciding,
  at: InstantText,
  taskId: string,
  when: RemindersTold['when'],
  isWanted: (live: LiveReminder) => boolean,
): void {
  const task = findTask(deciding.state, taskId);
  if (task?.running === undefined) return;
  const reminders = deciding.state.live
    .filter((live) => isFor(live, taskId) && isDue(live, task) && !isTold(live, task) && isWanted(live))
    .map(({ taskId: addressed, reminderId }) => ({ taskId: addressed, reminderId }));
  if (reminders.length > 0) deciding.emit({ type: 'remindersTold', at, taskId, when, reminders });
}

function isTold(live: LiveReminder, { running }: OpenTask): boolean {
  return running?.told.some((name) => isSame(name, live)) === true;
}

/**
 * Counts for what the turn was told: one that came too late for it loses nothing by it, or what lives for one turn
 * would be over before anybody was told.
 */
export function endTurn(deciding: Deciding, at: InstantText, taskId: string): void {
  const running = findTask(deciding.state, taskId)?.running;
  if (running === undefined) return;
  deciding.emit({ type: 'turnEnded', at, taskId });
  for (const name of running.told) {
    const turnsLeft = findLive(deciding.state, name)?.turnsLeft;
    if (turnsLeft === undefined) continue;
    if (turnsLeft > 1) deciding.emit({ type: 'reminderCounted', at, ...name, turnsLeft: turnsLeft - 1 });
    else deciding.emit({ type: 'reminderExpired', at, ...name, cause: 'turns' });
  }
}
