// JSON values as they came: what is an object, and when two values are equal. It must never hash or serialise.

export type JsonObject = Readonly<Record<string, unknown>>;

/** An object, and neither null nor a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The list, or an empty one: a part that is not a list is ignored. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** JSON equality: members in any order, list items in theirs, numbers by value. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) && one.length === other.length && one.every((item, index) => sameJson(item, other[index]))
    );
  }
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && sameJson(one[name], other[name]))
  );
}

/** Whether a text comes before another by code points (not by UTF-16 units, not by locale). */
export function compareByCodePoint(one: string, other: string): number {
  const left = Array.from(one, (character) => character.codePointAt(0) ?? 0);
  const right = Array.from(other, (character) => character.codePointAt(0) ?? 0);
  for (let index = 0; index < left.length && index < right.length; index += 1) {
    if (left[index] !== right[index]) return (left[index] ?? 0) - (right[index] ?? 0);
  }
  return left.length - right.length;
}
