// The migration fall-back: reminders in a message's or update's metadata, for peers that do not know the method.
import { isList, isObject, type JsonObject } from '#protocol';
import type { Reminder, ReminderDraft } from '../life-cycle/reminder.ts';

/**
 * The reminders that a message's metadata carries under `harn.reminder` (nested, or as one name with dots), unread:
 * one, or a list. Empty where it carries none.
 */
export function carriedReminders(metadata: unknown): readonly unknown[] {
  if (!isObject(metadata)) return [];
  const harn = metadata['harn'];
  const carried = (isObject(harn) ? harn['reminder'] : undefined) ?? metadata['harn.reminder'] ?? [];
  return isList(carried) ? carried : [carried];
}

/** The metadata with the reminders on it, one as itself and several as a list, after those that it carries already. */
export function carryReminders(metadata: JsonObject, reminders: readonly (Reminder | ReminderDraft)[]): JsonObject {
  if (reminders.length === 0) return metadata;
  const all = [...carriedReminders(metadata), ...reminders];
  const harn = isObject(metadata['harn']) ? metadata['harn'] : {};
  const { 'harn.reminder': _dotted, ...others } = metadata;
  return { ...others, harn: { ...harn, reminder: all.length === 1 ? all[0] : all } };
}
