// Which part of a list is wanted: `?limit=` and the `next` of the page before as `?after=`.
import { invalidField, readText } from '#runtime';

export interface Page {
  /** Empty for the beginning. */
  readonly after: string;
  readonly limit: number;
}

/** Throws `Problem` naming the parameter. */
export function readPage(query: Readonly<Record<string, unknown>>): Page {
  const { after, limit } = query;
  const count = typeof limit === 'string' && /^\d{1,4}$/.test(limit) ? Number(limit) : limit === undefined ? 100 : 0;
  if (count < 1 || count > 1_000) throw invalidField('limit', 'must be a whole number from 1 to 1000');
  return { after: after === undefined ? '' : readText(after, 'after'), limit: count };
}
