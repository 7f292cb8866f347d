// A reminder as it is once taken, with the names that travel. No rule is here.

/** How far a reminder reaches: its task alone, or every task of its context. */
export const propagations = ['REMINDER_PROPAGATION_NONE', 'REMINDER_PROPAGATION_SESSION'] as const;
export type ReminderPropagation = (typeof propagations)[number];

/** As whose word an agent's context should carry it. Never the user's. */
export const roleHints = ['REMINDER_ROLE_HINT_SYSTEM', 'REMINDER_ROLE_HINT_DEVELOPER'] as const;
export type ReminderRoleHint = (typeof roleHints)[number];

/** When a turn that runs already is told (reminders, *Mode*). */
export const modes = ['interrupt_immediate', 'finish_step', 'wait_for_completion'] as const;
export type ReminderMode = (typeof modes)[number];

export interface Reminder {
  readonly id: string;
  readonly body: string;
  /** Trimmed, none empty, none twice. */
  readonly tags: readonly string[];
  readonly dedupeKey?: string;
  /** How many turns it is told to, from 1; without it, as long as its scope lives. */
  readonly ttlTurns?: number;
  readonly preserveOnCompact: boolean;
  readonly propagate: ReminderPropagation;
  readonly roleHint: ReminderRoleHint;
  readonly source?: string;
  /** The turn of the addressed task that it was accepted in, or the later one it was marked for; counted from 1. */
  readonly firedAtTurn: number;
  readonly mode: ReminderMode;
}

/** A reminder as it is asked for, read and with its defaults: the rest is known once it is accepted. */
export type ReminderDraft = Omit<Reminder, 'id' | 'firedAtTurn'> & {
  readonly id?: string;
  readonly firedAtTurn?: number;
};

/** What one reminder is called within its context: ids are its callers' own. */
export interface ReminderName {
  /** The task that it was addressed to. */
  readonly taskId: string;
  readonly reminderId: string;
}
