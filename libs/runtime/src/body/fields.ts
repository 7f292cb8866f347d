// Fields of a JSON object that a client sent, each refused by its name. It must never accept what it was not asked for.
import { Problem } from '../problem/problem.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The longest id, key, name or source (characters: code points). */
export const maxIdLength = 1_024;

/** An object with no other members than `allowed`. Throws `Problem` (`invalid-field`), as do all of these. */
export function readFields(value: unknown, path: string, allowed: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidField(path, 'must be an object');
  const unknownName = Object.keys(value).find((name) => !allowed.includes(name));
  if (unknownName !== undefined) {
    throw invalidField(join(path, unknownName), `is not known; known are ${allowed.join(', ')}`);
  }
  return value as Fields;
}

/** A text of 1 to `maxLength` characters without control characters (no store keeps a NUL in text). */
export function readText(value: unknown, path: string, maxLength = maxIdLength): string {
  if (typeof value !== 'string') throw invalidField(path, 'must be a text');
  if (value === '' || !isWithinLength(value, maxLength)) {
    throw invalidField(path, `must have 1 to ${maxLength} characters`);
  }
  if (hasControl(value) || /\p{Surrogate}/u.test(value))
    throw invalidField(path, 'must not have control characters or half surrogates');
  return value;
}

/** Counted as code points, and only where that is in doubt. */
export function isWithinLength(text: string, maxLength: number): boolean {
  return text.length <= maxLength || (text.length <= 2 * maxLength && Array.from(text).length <= maxLength);
}

/** A list of at most `maxCount` texts. */
export function readTexts(value: unknown, path: string, maxCount = 1_000): readonly string[] {
  if (!Array.isArray(value)) throw invalidField(path, 'must be a list');
  if (value.length > maxCount) throw invalidField(path, `must have at most ${maxCount} entries`);
  return value.map((item: unknown, index) => readText(item, `${path}[${index}]`));
}

/** The problem that names a field. */
export function invalidField(field: string, message: string): Problem {
  return new Problem('invalid-field', `${field === '' ? 'the body' : field} ${message}`, { field });
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}
