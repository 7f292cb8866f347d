// Which part of a list is wanted: `?limit=` and, as `?cursor=`, the `next` of the page before.
import { parsePosition } from '#event-log';
import { invalidField, readText } from '#runtime';

export interface Page {
  /** Empty for the beginning. */
  readonly cursor: string;
  readonly limit: number;
}

const known = ['after', 'cursor', 'limit'];

/** Throws `Problem` naming the parameter. */
export function readPage(query: Readonly<Record<string, unknown>>): Page {
  const stranger = Object.keys(query).find((name) => !known.includes(name));
  if (stranger !== undefined) throw invalidField(stranger, `is not known; known are ${known.join(', ')}`);
  const { after, cursor, limit } = query;
  const count = typeof limit === 'string' && /^\d{1,4}$/.test(limit) ? Number(limit) : limit === undefined ? 100 : 0;
  if (count < 1 || count > 1_000) throw invalidField('limit', 'must be a whole number from 1 to 1000');
  // Agents are there before a write is answered, so there is nothing to wait for.
  if (after !== undefined && (typeof after !== 'string' || parsePosition(after) === undefined)) {
    throw invalidField('after', 'must be the `position` that a write was answered with');
  }
  return { cursor: cursor === undefined ? '' : readText(cursor, 'cursor'), limit: count };
}
