// Reads JSON whose shape nobody has promised. It must never throw and never reach into a prototype.

/** A JSON object, its members unread. */
export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** The object's own member: proto-JSON's camelCase name, or the snake_case one that its parsers take too. */
export function member(object: JsonObject, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name];
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.hasOwn(object, snake) ? object[snake] : undefined;
}

/** The member where it is text and not empty. */
export function textMember(object: JsonObject, name: string): string | undefined {
  const value = member(object, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** No deeper than `limit` lists and objects within each other; asked before anything recurses into the value. */
export function isWithinDepth(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (limit === 0) return false;
  if (isList(value)) return value.every((inner) => isWithinDepth(inner, limit - 1));
  return Object.keys(value).every((name) => isWithinDepth((value as JsonObject)[name], limit - 1));
}

/** Neither NUL nor a lone surrogate: text that every store and every wire keeps as it is. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

/** At most `limit` characters, counted as code points. */
export function isWithinLength(text: string, limit: number): boolean {
  return text.length <= limit || (text.length <= 2 * limit && Array.from(text).length <= limit);
}
