// What the gateway's card says of reminders.
import { fullCapability, readReminderCapability } from '#reminders';
import { withKeptReminders } from './kept-capability.ts';

it('an agent that takes none can be injected reminders at the gateway, and emits none', () => {
  const card = { name: 'a', capabilities: { streaming: true } };
  const reminders = { ...fullCapability, emit: false };
  expect(withKeptReminders(card)).toEqual({ name: 'a', capabilities: { streaming: true, reminders } });
  expect(readReminderCapability(withKeptReminders({ name: 'a' }))).toMatchObject({ inject: true, emit: false });
});

it.each([
  ['of an agent that takes them itself', { capabilities: { reminders: { inject: true, emit: true } } }],
  ['that is none', 'card'],
])('a card %s stays as it is', (_, card) => {
  expect(withKeptReminders(card)).toBe(card);
});
