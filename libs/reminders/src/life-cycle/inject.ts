// Whether a reminder is taken, what it displaces, and who is told at once (reminders, *Inject*, *Dedupe*, *Mode*).
import type { ReminderBounds } from './bounds.ts';
import type { Deciding } from './deciding.ts';
import type { InstantText, ReminderInjected } from './input.ts';
import type { Refusal } from './refusal.ts';
import type { Reminder } from './reminder.ts';
import {
  type Accepted,
  findLive,
  findTask,
  isFor,
  isSession,
  type LiveReminder,
  type OpenTask,
  type State,
} from './state.ts';
import { tellAtOnce } from './turns.ts';

/** The result of `InjectTaskReminder`. */
export interface InjectAnswer {
  readonly reminderId: string;
  readonly dedupedCount: number;
  readonly acceptedAt: InstantText;
}

/** In this order: terminal, unknown, the same id again, too many. What has been taken before emits nothing. */
export function inject(
  deciding: Deciding,
  input: ReminderInjected,
  bounds: ReminderBounds,
): { readonly answer: InjectAnswer } | { readonly refusal: Refusal } {
  const { taskId, draft } = input;
  if (input.isTerminal) {
    return {
      refusal: {
        code: 'task_terminal',
        field: 'taskId',
        message: 'the task has ended: nothing runs that could be told',
      },
    };
  }
  const task = findTask(deciding.state, taskId);
  if (task === undefined) return { refusal: { code: 'task_not_found', field: 'taskId', message: 'no such task' } };
  const known = draft.id === undefined ? undefined : findAccepted(deciding.state, taskId, draft.id);
  if (known !== undefined) {
    if (known.contentHash === input.contentHash) return { answer: answerOf(known) };
    const message = 'was taken with other content: give another reminder another id';
    return { refusal: { code: 'id_reused', field: 'reminder.id', message } };
  }
  const reminder = reminderOf(input, task);
  const displaced = deciding.state.live.filter((live) => isDisplacedBy(live, reminder, taskId));
  const full = fullTask(deciding.state, reminder, taskId, displaced, bounds.livePerTaskCount);
  if (full) return { refusal: { code: 'live_bound', field: 'reminder', message: tooMany(bounds.livePerTaskCount) } };
  return { answer: accept(deciding, input, reminder, displaced) };
}

function tooMany(bound: number): string {
  return `${bound} reminders of the task are live, and no more may be`;
}

function accept(
  deciding: Deciding,
  { at, taskId, contentHash, metadata }: ReminderInjected,
  reminder: Reminder,
  displaced: readonly LiveReminder[],
): InjectAnswer {
  const dedupedCount = displaced.length;
  const passedOn = metadata !== undefined && { metadata };
  deciding.emit({ type: 'reminderAccepted', at, taskId, reminder, contentHash, dedupedCount, ...passedOn });
  const by = { taskId, reminderId: reminder.id };
  for (const { taskId: addressed, reminderId } of displaced) {
    deciding.emit({ type: 'reminderDisplaced', at, taskId: addressed, reminderId, by });
  }
  const live = findLive(deciding.state, by);
  if (live !== undefined && reminder.mode === 'interrupt_immediate') tellAtOnce(deciding, at, live);
  return { reminderId: reminder.id, dedupedCount, acceptedAt: at };
}

/** What the id means to the addressed task: a reminder of its own, else one of the context. */
function findAccepted(state: State, taskId: string, reminderId: string): Accepted | undefined {
  const named = [...state.live, ...state.gone].filter((one) => one.reminderId === reminderId);
  return (
    named.find((one) => one.taskId === taskId) ??
    named.find((one) => ('reminder' in one ? isSession(one) : one.isSession))
  );
}

function answerOf({ reminderId, dedupedCount, acceptedAt }: Accepted): InjectAnswer {
  return { reminderId, dedupedCount, acceptedAt };
}

/** At rest it is accepted in the turn to come. */
function reminderOf({ draft, newId }: ReminderInjected, { turns, running }: OpenTask): Reminder {
  const acceptedIn = running === undefined ? turns + 1 : turns;
  return { ...draft, id: draft.id ?? newId, firedAtTurn: Math.max(draft.firedAtTurn ?? 0, acceptedIn) };
}

function isDisplacedBy(live: LiveReminder, reminder: Reminder, taskId: string): boolean {
  if (reminder.dedupeKey === undefined || live.reminder.dedupeKey !== reminder.dedupeKey) return false;
  if (live.reminder.propagate !== reminder.propagate) return false;
  return isSession(live) || live.taskId === taskId;
}

/** Whether some task that it is for would have more than it may; what is displaced makes room. */
function fullTask(
  state: State,
  reminder: Reminder,
  taskId: string,
  displaced: readonly LiveReminder[],
  bound: number,
): boolean {
  const left = state.live.filter((live) => !displaced.includes(live));
  return state.tasks
    .filter((task) => reminder.propagate === 'REMINDER_PROPAGATION_SESSION' || task.taskId === taskId)
    .some((task) => left.filter((live) => isFor(live, task.taskId)).length >= bound);
}
