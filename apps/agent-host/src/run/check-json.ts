// What a handler gives is JSON, and no more of it than is kept of anything: else its author is told where it is not.
import type { Json } from '#agent-handler';
import { maxBodyBytes, maxDepth, maxValueCount } from '#runtime';

/** The value where it is JSON; a member that is undefined is none. Throws a `TypeError` that names the place. */
export function checkJson(value: unknown, what: string): Json {
  const fault = findIn(value, { depth: 0, left: { count: maxValueCount } });
  if (fault !== undefined) throw new TypeError(`${what}${short(fault.place)} ${fault.why}`);
  checkSize(Buffer.byteLength(JSON.stringify(value)), what);
  return value as Json;
}

/** Throws a `TypeError`. */
export function checkText(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new TypeError(`${what} must be a text, not ${kindOf(value)}`);
  checkSize(Buffer.byteLength(value), what);
  return value;
}

/** Members of an object that is written as one, not of a class's. Throws a `TypeError`. */
export function checkMembers(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (!isPlain(value)) throw new TypeError(`${what} must be an object, not ${kindOf(value)}`);
  return value;
}

/** What it is, for a person. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value !== 'object') return `a ${typeof value}`;
  const { constructor } = value;
  const name = typeof constructor === 'function' ? constructor.name : '';
  return isPlain(value) || name === '' ? 'an object' : `a ${name}`;
}

interface Fault {
  /** Within the value; put together on the way back, for most values have none. */
  readonly place: string;
  readonly why: string;
}

interface Walk {
  readonly depth: number;
  /** How many values may come yet: a list that holds another many times is as many as it is written. */
  readonly left: { count: number };
}

function findIn(value: unknown, { depth, left }: Walk): Fault | undefined {
  left.count -= 1;
  const fault = (why: string): Fault => ({ place: '', why });
  if (left.count < 0) return fault(`is one of more than ${maxValueCount.toLocaleString('en')} values`);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : fault(`is ${value}, which is no JSON`);
  const isList = Array.isArray(value);
  if (!isList && !isPlain(value)) return fault(`is ${kindOf(value)}, which is no JSON`);
  if (depth === maxDepth) return fault(`is nested deeper than ${maxDepth} levels`);
  const inner = { depth: depth + 1, left };
  // By index: a list with holes has undefined in them.
  const names = isList ? Array.from(value.keys()) : Object.keys(value);
  for (const name of names) {
    const member: unknown = (value as Readonly<Record<string | number, unknown>>)[name];
    const found = member === undefined && !isList ? undefined : findIn(member, inner);
    if (found !== undefined) return { ...found, place: `${isList ? `[${name}]` : `.${name}`}${found.place}` };
  }
  return undefined;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm has another `Object`, whose prototype has none.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function checkSize(bytes: number, what: string): void {
  if (bytes > maxBodyBytes) throw new TypeError(`${what} is larger than ${maxBodyBytes / 1_000_000} MB`);
}

function short(place: string): string {
  return place.length > 200 ? `${place.slice(0, 200)}…` : place;
}
