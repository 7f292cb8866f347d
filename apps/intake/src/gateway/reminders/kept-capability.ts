// What the gateway adds to the card of an agent that takes no reminders itself: they can be injected here, and travel with
// the task's next message. Its streams stay the agent's own.
import { isObject } from '#protocol';
import { fullCapability, readReminderCapability } from '#reminders';

/** The card as it is where its agent takes reminders itself, or where it is none. */
export function withKeptReminders(card: unknown): unknown {
  if (!isObject(card) || readReminderCapability(card)?.inject === true) return card;
  const capabilities = isObject(card['capabilities']) ? card['capabilities'] : {};
  return { ...card, capabilities: { ...capabilities, reminders: { ...fullCapability, emit: false } } };
}
