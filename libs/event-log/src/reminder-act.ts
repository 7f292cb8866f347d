// What became of a reminder that the watcher keeps for an agent, as the inbox is told and the tenant's ledger records it.
// No part of the core, and without the reminder's words: those are the agent's alone.

/**
 * `accepted`: it is kept for the task's next message; `displaced`: a newer one has its dedupe key; `carried`: the agent
 * has it with a message that it has taken; `suppressed`: no message came while it lived, and nobody was told.
 */
export const reminderOutcomes = ['accepted', 'displaced', 'carried', 'suppressed'] as const;

export type ReminderOutcome = (typeof reminderOutcomes)[number];

interface OfReminder {
  readonly agentId: string;
  readonly taskId: string;
  readonly reminderId: string;
  readonly outcome: ReminderOutcome;
}

export interface ReminderReported extends OfReminder {
  readonly type: 'reminderReported';
}

export interface ReminderRecorded extends OfReminder {
  readonly type: 'reminderRecorded';
  /** The instant of the input, RFC 3339. */
  readonly at: string;
}

/** As the ledger records it. */
export function recordReminder(
  { agentId, taskId, reminderId, outcome }: ReminderReported,
  at: string,
): ReminderRecorded {
  return { type: 'reminderRecorded', at, agentId, taskId, reminderId, outcome };
}
