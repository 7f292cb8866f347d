// What a value of a request's JSON may be: A2A's codec makes a text, a number or a flag of whatever it is given, and is shown
// nothing that is not as it must be (A2A 3.3.2). Pure. Members that nobody knows are passed over (5.7); null is what is not
// given, as ProtoJSON has it.
import { isMembers } from '../../card/members.ts';

export interface ShapeFault {
  /** As a path: `message.parts[0].text`; empty for the value itself. */
  readonly field: string;
  readonly why: string;
}

/** What is wrong with the value, undefined where nothing is. `at` is its path. */
export type Shape = (value: unknown, at: string) => ShapeFault | undefined;

const most32 = 2 ** 31 - 1;

function shape(isSo: (value: unknown) => boolean, why: string): Shape {
  return (value, field) => (isSo(value) ? undefined : { field, why });
}

const matches =
  (pattern: RegExp) =>
  (value: unknown): boolean =>
    typeof value === 'string' && pattern.test(value);

export const anything: Shape = () => undefined;
export const text = shape((value) => typeof value === 'string', 'must be a text');
export const flag = shape((value) => typeof value === 'boolean', 'must be true or false');
export const members = shape(isMembers, 'must be an object');
export const base64 = shape(matches(/^[A-Za-z0-9+/_-]*={0,2}$/), 'must be bytes in base64');
/** Of an enumeration its word, or its number; whether there is such a one is asked where it is used. */
export const word = shape((value) => typeof value === 'string' || Number.isInteger(value), 'must be a word');
export const instant = shape(
  matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i),
  'must be an RFC 3339 instant',
);
/** ProtoJSON takes a number as a text, too. */
export const whole = shape(
  (value) => is32(value) || (matches(/^-?\d{1,10}$/)(value) && is32(Number(value))),
  'must be a whole number',
);

/** Of a query, where all is text and an empty one counts as not given (A2A 11.5). */
export const queryWhole = shape(
  (value) => matches(/^\d{0,10}$/)(value) && is32(Number(value)),
  'must be a whole number, 0 or more',
);
export const queryFlag = shape(matches(/^(true|false)?$/), 'must be true or false');
export const queryText = shape((value) => typeof value === 'string', 'must be given once');

export function listOf(item: Shape, leastCount = 0): Shape {
  return (value, at) => {
    if (!Array.isArray(value)) return { field: at, why: 'must be a list' };
    if (value.length < leastCount) return { field: at, why: `must have ${leastCount} at least` };
    for (const [index, each] of value.entries()) {
      const fault = item(each, `${at}[${index}]`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

export interface FieldRules {
  readonly required?: readonly string[];
  /** Of which one is given. */
  readonly oneOf?: readonly string[];
  /** No other spelling is read. */
  readonly isExact?: boolean;
}

/** An object; its members may have ProtoJSON's names or the schema's (`context_id`). */
export function fields(known: Readonly<Record<string, Shape>>, rules: FieldRules = {}): Shape {
  const shapes = new Map(Object.entries(known));
  const { required = [], oneOf = [], isExact = false } = rules;
  return (value, at) => {
    if (!isMembers(value)) return { field: at, why: 'must be an object' };
    const given = new Map<string, unknown>();
    for (const [written, each] of Object.entries(value)) {
      const name = shapes.has(written) || isExact ? written : toCamel(written);
      if (!shapes.has(name) || each === null) continue;
      if (given.has(name)) return { field: join(at, name), why: 'must be given once' };
      given.set(name, each);
    }
    const missing = required.find((name) => !given.has(name));
    if (missing !== undefined) return { field: join(at, missing), why: 'must be given' };
    if (oneOf.length > 0 && oneOf.filter((name) => given.has(name)).length !== 1) {
      return { field: at, why: `must have exactly one of ${oneOf.join(', ')}, and null is none` };
    }
    for (const [name, each] of given) {
      const fault = shapes.get(name)?.(each, join(at, name));
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

/** The same, or nothing at all. */
export function optional(inner: Shape): Shape {
  return (value, at) => (value === undefined || value === null ? undefined : inner(value, at));
}

function is32(value: unknown): boolean {
  return Number.isInteger(value) && Math.abs(value as number) <= most32;
}

function toCamel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function join(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}
