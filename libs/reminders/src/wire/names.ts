// The names that reminders travel under.

/** The method in JSON-RPC. */
export const INJECT_METHOD = 'InjectTaskReminder';

/** The method in HTTP+JSON: `POST {base}/tasks/{id}:injectReminder`. */
export const INJECT_VERB = ':injectReminder';

/** The extension, as cards declare and headers activate it. */
export const REMINDERS_URI = 'https://rsaxb.com/a2a/reminders/v1';
