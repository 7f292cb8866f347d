// What was decided: the closed union of a context's journal, in order. Past tense; folding them is all a reader needs.
import type { InstantText, JsonMembers } from './input.ts';
import type { Reminder, ReminderName } from './reminder.ts';

/** Why a reminder expired. */
export type ExpiryCause = 'turns' | 'task_ended' | 'context_ended' | 'compacted';

interface OfTask {
  readonly at: InstantText;
  readonly taskId: string;
}

interface OfReminder extends ReminderName {
  readonly at: InstantText;
}

export interface TaskOpened extends OfTask {
  readonly type: 'taskOpened';
}

export interface TurnBegan extends OfTask {
  readonly type: 'turnBegan';
  readonly turnId: string;
  /** Counted per task from 1. */
  readonly turn: number;
}

/** The task's running turn has them in its context from here on, and counts for them. */
export interface RemindersTold extends OfTask {
  readonly type: 'remindersTold';
  readonly when: 'begin' | 'step' | 'at_once';
  readonly reminders: readonly ReminderName[];
}

export interface TurnEnded extends OfTask {
  readonly type: 'turnEnded';
}

export interface TaskEnded extends OfTask {
  readonly type: 'taskEnded';
}

export interface ReminderAccepted extends OfTask {
  readonly type: 'reminderAccepted';
  readonly reminder: Reminder;
  readonly contentHash: string;
  /** How many it displaces; they follow. */
  readonly dedupedCount: number;
  readonly metadata?: JsonMembers;
}

/** A newer one of its scope has its dedupe key. */
export interface ReminderDisplaced extends OfReminder {
  readonly type: 'reminderDisplaced';
  readonly by: ReminderName;
}

/** A turn that it was told to is over, and it lives on. */
export interface ReminderCounted extends OfReminder {
  readonly type: 'reminderCounted';
  readonly turnsLeft: number;
}

export interface ReminderExpired extends OfReminder {
  readonly type: 'reminderExpired';
  readonly cause: ExpiryCause;
}

/** It is another's now: nothing more is told of it here. */
export interface ReminderCarried extends OfReminder {
  readonly type: 'reminderCarried';
}

export type Event =
  | TaskOpened
  | TurnBegan
  | RemindersTold
  | TurnEnded
  | TaskEnded
  | ReminderAccepted
  | ReminderDisplaced
  | ReminderCounted
  | ReminderExpired
  | ReminderCarried;
