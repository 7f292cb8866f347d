// How much may be asked for with reminders, from the environment (`DUEWATCH_REMINDER_*`): one reading for the gateway and
// for served agents.
import { defaultBounds, type ReminderBounds } from '#reminders';

/** Reads a variable that is a whole number; undefined where it is absent, or wrong, which has been said. */
type ReadCount = (name: string, least: number, most: number) => number | undefined;

/** What the variables are called, without `DUEWATCH_`. */
export const reminderNames = ['BODY_BYTES', 'TAGS', 'LIVE', 'METADATA_BYTES'].map((name) => `REMINDER_${name}`);

/** All that one task may have live is kept, read and sent in one piece. */
const mostTaskBytes = 4 * 1024 * 1024;

/** What is wrong is added to `errors`. */
export function readReminderBounds(count: ReadCount, errors: string[]): ReminderBounds {
  const bounds = {
    bodyBytes: count('DUEWATCH_REMINDER_BODY_BYTES', 1, 65_536) ?? defaultBounds.bodyBytes,
    tagsCount: count('DUEWATCH_REMINDER_TAGS', 0, 256) ?? defaultBounds.tagsCount,
    livePerTaskCount: count('DUEWATCH_REMINDER_LIVE', 1, 1_024) ?? defaultBounds.livePerTaskCount,
    metadataBytes: count('DUEWATCH_REMINDER_METADATA_BYTES', 2, 65_536) ?? defaultBounds.metadataBytes,
  };
  if (bounds.bodyBytes * bounds.livePerTaskCount > mostTaskBytes) {
    errors.push(`DUEWATCH_REMINDER_BODY_BYTES times DUEWATCH_REMINDER_LIVE must be at most ${mostTaskBytes}`);
  }
  return bounds;
}
