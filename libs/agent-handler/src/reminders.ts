// What a turn is to be told that nobody has said: ambient reminders, for the context of the model, never for its history.

export interface Reminder {
  readonly id: string;
  readonly body: string;
  readonly tags: readonly string[];
  /** As whose word the context should carry it. Never the user's. */
  readonly roleHint: 'REMINDER_ROLE_HINT_SYSTEM' | 'REMINDER_ROLE_HINT_DEVELOPER';
  /** Who had it injected, by their own word. */
  readonly source?: string;
  /** How many turns it is told to; without it, as long as its task or context lives. */
  readonly ttlTurns?: number;
  readonly mode: 'interrupt_immediate' | 'finish_step' | 'wait_for_completion';
}

/** Reminders as text, one block a role hint: for the turn's system or developer text. */
export interface ReminderBlock {
  readonly roleHint: Reminder['roleHint'];
  readonly text: string;
}
