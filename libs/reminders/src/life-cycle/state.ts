// What must be known of one context to decide: its open tasks, its live reminders, and the ids of those that are gone.
// Plain JSON and never changed in place, so that it is its own snapshot.
import type { InstantText, JsonMembers } from './input.ts';
import type { Reminder, ReminderName } from './reminder.ts';

export interface State {
  readonly contextId: string;
  /** Those that are not terminal, in the order opened. */
  readonly tasks: readonly OpenTask[];
  /** In the order accepted. */
  readonly live: readonly LiveReminder[];
  /** Displaced or expired while their scope lives, the oldest first; at most `goneCount`. */
  readonly gone: readonly GoneReminder[];
}

export interface OpenTask {
  readonly taskId: string;
  /** How many turns have begun. */
  readonly turns: number;
  /** The turn that runs. */
  readonly running?: RunningTurn;
}

export interface RunningTurn {
  readonly turnId: string;
  readonly told: readonly ReminderName[];
}

/** Enough to answer an inject that comes again. */
export interface Accepted extends ReminderName {
  readonly acceptedAt: InstantText;
  readonly contentHash: string;
  readonly dedupedCount: number;
}

export interface LiveReminder extends Accepted {
  readonly reminder: Reminder;
  /** Absent where it has no `ttlTurns`. */
  readonly turnsLeft?: number;
  readonly metadata?: JsonMembers;
}

export interface GoneReminder extends Accepted {
  readonly isSession: boolean;
}

/** How many that are gone a context remembers: past them, an old id may be taken for a new one. */
export const goneCount = 1_000;

/** The state of a context of which nothing has been told yet. */
export function initialState(contextId: string): State {
  return { contextId, tasks: [], live: [], gone: [] };
}

/** Nothing is left to be remembered: whoever keeps states may delete this one. */
export function isOver(state: State): boolean {
  return state.tasks.length === 0;
}

export function isSession({ reminder }: LiveReminder): boolean {
  return reminder.propagate === 'REMINDER_PROPAGATION_SESSION';
}

export function isSame(one: ReminderName, other: ReminderName): boolean {
  return one.reminderId === other.reminderId && one.taskId === other.taskId;
}

export function findTask(state: State, taskId: string): OpenTask | undefined {
  return state.tasks.find((task) => task.taskId === taskId);
}

export function findLive(state: State, name: ReminderName): LiveReminder | undefined {
  return state.live.find((live) => isSame(live, name));
}

/** Whether the task is one of those that it is for. */
export function isFor(live: LiveReminder, taskId: string): boolean {
  return isSession(live) || live.taskId === taskId;
}

/** Not before its turn: `firedAtTurn` defers on the addressed task alone. */
export function isDue(live: LiveReminder, task: OpenTask): boolean {
  return live.taskId !== task.taskId || live.reminder.firedAtTurn <= task.turns;
}
