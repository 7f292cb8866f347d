// Where a request goes at the agent: the interface's URL, what of the request's path is below it, and the query.
// It must never lead outside the interface, however the path is spelt.
import { Problem } from '#runtime';

export interface Target {
  readonly origin: string;
  /** Path and query as they are sent. */
  readonly path: string;
}

/** What names the folder above, or itself, to any server: dots, also encoded. */
const dots = /^(\.|%2e){1,2}$/i;

/**
 * `below` is the raw path under the interface, empty or with a slash in front; `query` the raw query without its mark.
 * Throws `Problem` (`malformed-request`) where the path could be taken for one outside the interface.
 */
export function targetOf(interfaceUrl: string, below: string, query: string): Target {
  const { origin, pathname, search } = new URL(interfaceUrl);
  if (
    /[\\\s]|%5c|%00/i.test(below) ||
    below.split(/\/|%2f/i).some((segment) => dots.test(segment.split(';')[0] ?? ''))
  ) {
    throw new Problem('malformed-request', 'the path must not have backslashes, nor "." or ".." for a segment');
  }
  const path = below === '' ? pathname : pathname.replace(/\/+$/, '') + below;
  const queries = [search.slice(1), query].filter((each) => each !== '');
  return { origin, path: queries.length === 0 ? path : `${path}?${queries.join('&')}` };
}
