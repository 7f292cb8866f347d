// Inputs taken one after the other, and what follows for the tasks of their context: what is kept, and what goes into the
// streams of which task, where. Pure. Whoever keeps tasks calls it in the transaction that owns them.
import {
  type Event,
  type InjectAnswer,
  type Input,
  type Refused,
  type ReminderBounds,
  type ReminderUpdate,
  type State,
  step,
} from '#reminders';
import type { TaskEvent } from '../task/task-event.ts';
import { inputsOf } from './reminder-inputs.ts';

export interface Reminded {
  readonly events: readonly Event[];
  readonly after: State;
  readonly updates: readonly ReminderUpdate[];
  /** Tasks whose running turn is told at once. */
  readonly interrupted: readonly string[];
  /** Of each inject, in order. */
  readonly answers: readonly (InjectAnswer | Refused)[];
}

/** An inject that is refused changes nothing; the rest is taken. */
export function takeInputs(before: State, inputs: readonly Input[], bounds: ReminderBounds): Reminded {
  const events: Event[] = [];
  const updates: ReminderUpdate[] = [];
  const interrupted: string[] = [];
  const answers: (InjectAnswer | Refused)[] = [];
  let after = before;
  for (const input of inputs) {
    const stepped = step(after, input, bounds);
    if ('refusal' in stepped) {
      answers.push(stepped);
      continue;
    }
    if ('answer' in stepped) answers.push(stepped.answer);
    events.push(...stepped.events);
    updates.push(...stepped.updates);
    interrupted.push(...stepped.told.filter(({ when }) => when === 'at_once').map(({ taskId }) => taskId));
    after = stepped.state;
  }
  return { events, after, updates, interrupted, answers };
}

export interface RemindedTask extends Omit<Reminded, 'updates' | 'answers'> {
  /** What happens to the task, with what its subscribers are told of reminders in its place. */
  readonly taskEvents: readonly TaskEvent[];
  /** What subscribers of other tasks of the context are told. */
  readonly others: readonly ReminderUpdate[];
}

export interface RemindedOf {
  readonly taskId: string;
  /** How many events the task has. */
  readonly version: number;
  readonly bounds: ReminderBounds;
}

/**
 * The events of one task. What a status ends is told before it, since streams end with it; what a message brings, after it.
 * A carried reminder that there is no room for any more is left out: whoever sends it has been told so before.
 */
export function remindTask(
  before: State,
  { taskId, version, bounds }: RemindedOf,
  happened: readonly TaskEvent[],
  release?: { readonly at: string },
): RemindedTask {
  const taskEvents: TaskEvent[] = [];
  const others: ReminderUpdate[] = [];
  const events: Event[] = [];
  const interrupted: string[] = [];
  let after = before;
  const take = (inputs: readonly Input[], event?: TaskEvent): void => {
    const reminded = takeInputs(after, inputs, bounds);
    after = reminded.after;
    events.push(...reminded.events);
    interrupted.push(...reminded.interrupted);
    const at = inputs[0]?.at ?? '';
    const told = reminded.updates.filter((update) => update.taskId === taskId).map((update) => updated(update, at));
    const isFirst = event !== undefined && event.type !== 'statusChanged';
    taskEvents.push(...(isFirst ? [event, ...told] : [...told, ...(event === undefined ? [] : [event])]));
    others.push(...reminded.updates.filter((update) => update.taskId !== taskId));
  };
  for (const [index, event] of happened.entries()) take(inputsOf(after, taskId, event, version + index + 1), event);
  if (release !== undefined) take([{ type: 'turnEnded', at: release.at, taskId }]);
  return { taskEvents, others, events, after, interrupted };
}

/** As one of the events of the task that it is for. */
export function updated(update: ReminderUpdate, at: string): TaskEvent {
  return { type: 'reminderUpdated', at, update };
}

/** The updates by their task, the tasks by their id. */
export function byTask(updates: readonly ReminderUpdate[], at: string): readonly [string, readonly TaskEvent[]][] {
  const tasks = new Map<string, TaskEvent[]>();
  for (const update of updates) {
    tasks.set(update.taskId, [...(tasks.get(update.taskId) ?? []), updated(update, at)]);
  }
  return [...tasks].sort(([a], [b]) => (a < b ? -1 : 1));
}
