// What a client wants an agent to be reminded of in its running tasks, checked.
import { parseDuration } from '#expectations';
import { defaultBeforeDue, invalidField, readFields, type ReminderSettings } from '#runtime';

const shortestMs = 60_000;
const longestMs = 30 * 86_400_000;

/** `beforeDue` is a duration, or `true` for an hour. Throws `Problem` naming the field. */
export function readReminderSettings(value: unknown): ReminderSettings {
  const { beforeDue, lapsed } = readFields(value, 'reminders', ['beforeDue', 'lapsed']);
  if (lapsed !== undefined && typeof lapsed !== 'boolean') {
    throw invalidField('reminders.lapsed', 'must be true or false');
  }
  const lead = readLead(beforeDue);
  return { ...(lead !== undefined && { beforeDue: lead }), ...(lapsed === true && { lapsed }) };
}

function readLead(value: unknown): string | undefined {
  if (value === undefined || value === false) return undefined;
  if (value === true) return defaultBeforeDue;
  const duration = parseDuration(value);
  const isLead = duration?.months === 0 && duration.ms >= shortestMs && duration.ms <= longestMs;
  if (isLead) return duration.text;
  throw invalidField('reminders.beforeDue', 'must be true or false, or a duration from PT1M to P30D without months');
}
