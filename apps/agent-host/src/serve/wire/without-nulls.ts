// JSON-RPC of 0.3 is no ProtoJSON to the SDK: a member that is null counts as given there. Pure.
import { isMembers } from '../../card/members.ts';

/** What is in these is the caller's own. */
const own: readonly string[] = ['data', 'metadata'];

/** The same without members that are null, but for what is in `data` and `metadata`. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isMembers(value)) return value;
  const given = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(given.map(([name, member]) => [name, own.includes(name) ? member : withoutNulls(member)]));
}
