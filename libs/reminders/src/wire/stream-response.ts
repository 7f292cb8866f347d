// A reminder's update as a member of a stream's response (reminders, *Stream*): its own for clients that read it, and
// in a status that changes nothing for those that do not.
import type { JsonMembers } from '../life-cycle/input.ts';
import type { ReminderUpdate } from '../life-cycle/update.ts';
import { carryReminders } from './harn-metadata.ts';
import { REMINDERS_URI } from './names.ts';

/** A StreamResponse of A2A 1.0, as JSON. */
export type ReminderResponse =
  | { readonly reminderUpdate: ReminderUpdate }
  | {
      readonly statusUpdate: {
        readonly taskId: string;
        readonly contextId: string;
        readonly status: unknown;
        readonly metadata: JsonMembers;
      };
    };

/** `status` is the task's own, as it is; `reads` says that the card declares reminders and the client activated them. */
export function streamResponseOf(update: ReminderUpdate, status: unknown, reads: boolean): ReminderResponse {
  if (reads) return { reminderUpdate: update };
  const { taskId, contextId, reminder, reason, metadata } = update;
  const why = reason !== undefined && { reason };
  // The inject's own metadata stay within: at the top they could speak in the agent's name under another extension's URI.
  const told = { reminder, ...why, metadata };
  const carrying = carryReminders({ [REMINDERS_URI]: told }, [{ ...reminder, ...why }]);
  return { statusUpdate: { taskId, contextId, status, metadata: carrying } };
}
