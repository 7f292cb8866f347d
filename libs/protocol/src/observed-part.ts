// What an item of an observation says beside its agent, in whatever form A2A has it: one member of StreamResponse, as is the
// rule; the same as the `result` of a JSON-RPC answer; an event of 0.3 by its `kind`; or a bare Task or Message.
import { isList, isObject, type JsonObject, member } from './shape.ts';
import { readStreamPart } from './stream-part.ts';

export const partNames = ['task', 'message', 'statusUpdate', 'artifactUpdate'] as const;

export type PartName = (typeof partNames)[number];

export type ObservedPart =
  | { readonly name: PartName; readonly value: unknown; /** JSON path of the value. */ readonly path: string }
  /** In a person's words, after the item's path. */
  | { readonly wrong: string };

/** Never throws. `path` is the item's. */
export function observedPart(item: JsonObject, path: string): ObservedPart {
  // Proto-JSON's null is a member that is not set.
  const [name, ...others] = partNames.filter((candidate) => (member(item, candidate) ?? null) !== null);
  if (others.length > 0) return { wrong: exactlyOne };
  if (name !== undefined) return { name, value: member(item, name), path: `${path}.${name}` };
  const { result } = item;
  const [from, fromPath] = isObject(result) ? [result, `${path}.result`] : [item, path];
  if (isList(from['tasks'])) return { wrong: 'has a list of tasks: send each of them as an item {agentId, task}' };
  const part = readStreamPart(from);
  const found = partNames.find((candidate) => part !== undefined && candidate in part);
  if (part === undefined || found === undefined) return { wrong: exactlyOne };
  const value = (part as JsonObject)[found];
  return { name: found, value, path: value === from ? fromPath : `${fromPath}.${found}` };
}

const exactlyOne = `must have exactly one of ${partNames.join(', ')}`;
