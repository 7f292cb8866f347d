// Puts reminders on a client's message, for an agent that takes none by the method (reminders, *Towards a peer*). Nothing
// else of the body may change.
import { isObject, type JsonObject, member } from '#protocol';
import { carryReminders, type Reminder } from '#reminders';
import type { Binding } from '../gateway-interfaces.ts';

/** The body with the reminders in its message's `metadata.harn.reminder`; as it is where it has no message. */
export function carryingBody(body: Uint8Array, binding: Binding, reminders: readonly Reminder[]): Uint8Array {
  const whole: unknown = JSON.parse(Buffer.from(body).toString());
  if (!isObject(whole)) return body;
  const params = binding === 'rest' ? whole : whole['params'];
  if (!isObject(params)) return body;
  // As it is found: 0.3's HTTP+JSON has the message as `request` where its server takes proto names.
  const name = ['message', 'request'].find((each) => isObject(params[each]));
  const message = name === undefined ? undefined : params[name];
  if (name === undefined || !isObject(message)) return body;
  const carrying = { ...params, [name]: withReminders(message, reminders) };
  return Buffer.from(JSON.stringify(binding === 'rest' ? carrying : { ...whole, params: carrying }));
}

function withReminders(message: JsonObject, reminders: readonly Reminder[]): JsonObject {
  const metadata = member(message, 'metadata');
  return { ...message, metadata: carryReminders(isObject(metadata) ? metadata : {}, reminders) };
}
