// The members of what the author of a handler writes. One that nobody knows is a typing error: what it was to hide would be
// told, and whom it was to keep out would be let in.
import type { Members } from './card/members.ts';

/** A sentence of the first that is none of the known; `of` is what it would be a member of. */
export function findUnknown(members: Members, known: readonly string[], of: string): string | undefined {
  const unknown = Object.keys(members).find((name) => !known.includes(name));
  return unknown === undefined ? undefined : `${unknown} is no member of ${of}, which has ${known.join(', ')}`;
}

/** The same of what may have more than is asked of it: methods, and whatever an instance of a class keeps. */
export function findMistyped(members: Members, known: readonly string[], of: string): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(members);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const isOwn = ([name, value]: [string, unknown]): boolean =>
    typeof value === 'function' && !known.some((member) => resembles(name, member));
  return findUnknown(Object.fromEntries(Object.entries(members).filter((entry) => !isOwn(entry))), known, of);
}

/** A letter too many or too few at its end, or capitals where there are none. */
function resembles(name: string, member: string): boolean {
  const [one, other] = [name.toLowerCase(), member.toLowerCase()];
  return Math.abs(one.length - other.length) <= 1 && (one.startsWith(other) || other.startsWith(one));
}
