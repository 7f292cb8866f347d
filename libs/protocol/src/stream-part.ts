// One member of A2A's StreamResponse, in whatever form it comes: as 1.0 wraps it, as 0.3 tags it, or as a bare Task or
// Message.
// What is within is not read here: `readObservation` does that.
import { isObject, type JsonObject, member, textMember } from './shape.ts';

/** As `readObservation` takes it, beside the agent. */
export type StreamPart =
  | { readonly task: unknown }
  | { readonly message: unknown }
  | { readonly statusUpdate: unknown }
  | { readonly artifactUpdate: unknown };

const names = ['task', 'message', 'statusUpdate', 'artifactUpdate'] as const;

const kinds: ReadonlyMap<unknown, (value: JsonObject) => StreamPart> = new Map([
  ['task', (task: JsonObject): StreamPart => ({ task })],
  ['message', (message: JsonObject): StreamPart => ({ message })],
  ['status-update', (statusUpdate: JsonObject): StreamPart => ({ statusUpdate })],
  ['artifact-update', (artifactUpdate: JsonObject): StreamPart => ({ artifactUpdate })],
]);

/** Undefined where it is none of them. Never throws. */
export function readStreamPart(value: unknown): StreamPart | undefined {
  if (!isObject(value)) return undefined;
  const tagged = kinds.get(value['kind']);
  if (tagged !== undefined) return tagged(value);
  const [name, ...others] = names.filter((candidate) => (member(value, candidate) ?? null) !== null);
  if (name !== undefined) return others.length > 0 ? undefined : partOf(name, member(value, name));
  if (textMember(value, 'id') !== undefined && isObject(member(value, 'status'))) return { task: value };
  // 0.3's HTTP+JSON has its proto's name for it.
  const message = isObject(value['msg']) ? value['msg'] : value;
  return textMember(message, 'messageId') !== undefined && 'role' in message ? { message } : undefined;
}

/** The task that it is about; undefined where it says none. */
export function taskIdOf(part: StreamPart): string | undefined {
  const [name, value] = Object.entries(part)[0] as [string, unknown];
  return isObject(value) ? textMember(value, name === 'task' ? 'id' : 'taskId') : undefined;
}

function partOf(name: (typeof names)[number], value: unknown): StreamPart {
  switch (name) {
    case 'task':
      return { task: value };
    case 'message':
      return { message: value };
    case 'statusUpdate':
      return { statusUpdate: value };
    case 'artifactUpdate':
      return { artifactUpdate: value };
  }
}
