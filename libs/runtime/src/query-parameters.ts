// The parameters of a question, each checked by its name. It must never pass over one that it does not know.
import { addDuration, parseDuration, parseInstant } from '#expectations';
import { invalidField, isWithinLength, maxIdLength } from './body/fields.ts';

/** Parameters of every list. */
const ofEveryList = ['after', 'cursor', 'limit'];

const DEFAULT_LIMIT = 100;
const MOST_LIMIT = 1_000;

/** Throws `Problem` (`invalid-field`) naming the parameter, as do all its methods. */
export class QueryParameters {
  private readonly values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>, known: readonly string[]) {
    this.values = values;
    const allowed = [...known, ...ofEveryList];
    const stranger = Object.keys(values).find((name) => !allowed.includes(name));
    if (stranger !== undefined) throw invalidField(stranger, `is not known; known are ${allowed.join(', ')}`);
  }

  /** Any string that an id may be: no store's limits apply to a question. */
  text(name: string): string | undefined {
    const value = this.values[name];
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw invalidField(name, 'must be given once');
    if (value === '' || !isWithinLength(value, maxIdLength))
      throw invalidField(name, `must have 1 to ${maxIdLength} characters`);
    return value;
  }

  word<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const word = words.find((known) => known === value);
    if (word === undefined) throw invalidField(name, `must be one of ${words.join(', ')}`);
    return word;
  }

  flag(name: string): boolean | undefined {
    const word = this.word(name, ['true', 'false']);
    return word === undefined ? undefined : word === 'true';
  }

  instant(name: string): Date | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const epochMs = parseInstant(value);
    if (Number.isNaN(epochMs)) throw invalidField(name, 'must be an RFC 3339 instant with an offset');
    return new Date(epochMs);
  }

  /** Milliseconds; of months and years as they are in January. */
  durationMs(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const duration = parseDuration(value);
    if (duration === undefined) throw invalidField(name, 'must be an ISO 8601 duration, such as PT30M');
    return addDuration(0, duration);
  }

  /** `subjectType` and `subjectId`, both or neither. */
  subject(): readonly [string, string] | readonly [undefined, undefined] {
    const type = this.text('subjectType');
    const id = this.text('subjectId');
    if (type !== undefined && id !== undefined) return [type, id];
    if (type !== undefined) throw invalidField('subjectId', 'must be given with subjectType');
    if (id !== undefined) throw invalidField('subjectType', 'must be given with subjectId');
    return [undefined, undefined];
  }

  /** How many items a page may have. */
  limit(): number {
    const value = this.text('limit');
    const limit = value === undefined ? DEFAULT_LIMIT : /^\d{1,4}$/.test(value) ? Number(value) : 0;
    if (limit < 1 || limit > MOST_LIMIT) throw invalidField('limit', `must be a whole number from 1 to ${MOST_LIMIT}`);
    return limit;
  }

  /** Where a page goes on: as many whole numbers as the list's order has, from the `next` of the page before. */
  cursor(length: number): readonly number[] | undefined {
    const value = this.text('cursor');
    if (value === undefined) return undefined;
    const numbers = value.split('.').map((part) => (/^\d{1,16}$/.test(part) ? Number(part) : NaN));
    if (numbers.length !== length || !numbers.every(Number.isSafeInteger)) {
      throw invalidField('cursor', 'must be the `next` of a page of the same list');
    }
    return numbers;
  }
}

/** A part of a list, and the cursor of the next part where there is one. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next?: string;
}

/** A page of at most `limit` rows out of `limit + 1` that were asked for. */
export function pageOf<Row>(rows: readonly Row[], limit: number, cursorOf: (row: Row) => readonly number[]): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return rows.length > limit && last !== undefined ? { items, next: cursorOf(last).join('.') } : { items };
}
