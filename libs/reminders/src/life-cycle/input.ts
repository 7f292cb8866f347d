// What happens to one context, told in order by whoever runs its tasks. Instants and ids come with it.
import type { ReminderDraft, ReminderName } from './reminder.ts';

/** RFC 3339 in UTC. */
export type InstantText = string;

export interface JsonMembers {
  readonly [name: string]: unknown;
}

interface OfTask {
  readonly at: InstantText;
  readonly taskId: string;
}

/** A task of the context exists and is not terminal. Told again it changes nothing. */
export interface TaskOpenedInput extends OfTask {
  readonly type: 'taskOpened';
}

/** `InjectTaskReminder`, or a message's `metadata.harn.reminder`, as `readInject` has read it. */
export interface ReminderInjected extends OfTask {
  readonly type: 'reminderInjected';
  /** What the task's owner says of it: a task that has ended is forgotten here. */
  readonly isTerminal: boolean;
  readonly draft: ReminderDraft;
  /** Equal where the drafts are, ids aside. */
  readonly contentHash: string;
  /** The id it gets where the draft has none; new. */
  readonly newId: string;
  /** The inject's `metadata`, passed on with what is told of the reminder. */
  readonly metadata?: JsonMembers;
}

/** The agent begins to run, from a received message or a resume. Opens a task that is not. */
export interface TurnBeganInput extends OfTask {
  readonly type: 'turnBegan';
  /** The run's own id: told again with it, it is the same turn; with another, the turn before is over. */
  readonly turnId: string;
  /** Of a turn that is told of afterwards: the ids of what it was told. Else it is told all that is live and due. */
  readonly toldIds?: readonly string[];
}

/** The running turn is between two steps and can be told more. */
export interface StepBoundaryReached extends OfTask {
  readonly type: 'stepBoundaryReached';
}

/** The agent rests: interrupted, or about to be terminal. */
export interface TurnEndedInput extends OfTask {
  readonly type: 'turnEnded';
}

/** The task is terminal, or gone. Ends its turn. */
export interface TaskEndedInput extends OfTask {
  readonly type: 'taskEnded';
}

/** Whoever kept them for an agent elsewhere has handed them on, with a message that the agent has taken. */
export interface RemindersCarried extends OfTask {
  readonly type: 'remindersCarried';
  readonly reminders: readonly ReminderName[];
}

/** The host has compacted the context: what of it need not be preserved is over. */
export interface ContextCompacted {
  readonly type: 'contextCompacted';
  readonly at: InstantText;
}

export type Input =
  | TaskOpenedInput
  | ReminderInjected
  | TurnBeganInput
  | StepBoundaryReached
  | TurnEndedInput
  | TaskEndedInput
  | RemindersCarried
  | ContextCompacted;
