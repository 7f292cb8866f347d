// Fetches an agent's card. Whoever serves it is a stranger: size, time, redirects and form are bounded.
// It must never send the credential to another origin than the one asked.
import { AddressRefusedError, type Outbound } from '#outbound';
import { type AgentAuth, authHeaders } from './agent-auth.ts';
import { VERSION_HEADER } from './extension.ts';
import { limits } from './limits.ts';
import { readBytes, TooLargeError } from './read-bytes.ts';
import { isObject, isWithinDepth } from './shape.ts';
import { withinTime } from './within-time.ts';

/** Where a card is found under an agent's base URL. */
export const CARD_PATH = '.well-known/agent-card.json';

export const cardFetchCodes = [
  'url_invalid',
  'unreachable',
  'address_refused',
  'timed_out',
  'status_not_ok',
  'too_many_redirects',
  'too_large',
  'not_json',
] as const;

export type CardFetchCode = (typeof cardFetchCodes)[number];

/** The card could not be fetched. `retryable` where the same request may go better later. */
export class CardFetchError extends Error {
  override readonly name = 'CardFetchError';
  readonly code: CardFetchCode;
  readonly retryable: boolean;

  constructor(
    code: CardFetchCode,
    message: string,
    options: { readonly retryable: boolean; readonly cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable;
  }
}

export interface FetchedCard {
  /** The card's JSON as served. */
  readonly card: { readonly [key: string]: unknown };
  /** Where it was in the end. */
  readonly url: string;
  readonly etag?: string;
}

export interface CardFetchOptions {
  /** Through which it is called. */
  readonly outbound: Outbound;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly auth?: AgentAuth;
}

const defaultTimeoutMs = 10_000;
const cardBytes = 1_048_576;
const redirectsCount = 3;
const temporary = new Set([408, 425, 429, 500, 502, 503, 504]);

/** The card's own URL: as given where it names a `.json`, else the well-known place under it. Throws `CardFetchError`. */
export function cardUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !isFetchable(url)) {
    throw new CardFetchError('url_invalid', 'the card URL must be http or https, without a user', { retryable: false });
  }
  if (url.pathname.endsWith('.json')) return url;
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${CARD_PATH}`;
  return url;
}

function isFetchable({ protocol, username, password }: URL): boolean {
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** Fetches the card of the agent at `text`, its base URL or the card's own. Throws `CardFetchError`. */
export async function fetchCard(text: string, options: CardFetchOptions): Promise<FetchedCard> {
  const start = cardUrl(text);
  try {
    return await withinTime(options.timeoutMs ?? defaultTimeoutMs, options.signal, async (signal) => {
      const { response, url } = await follow(start, signal, options);
      if (!response.ok) throw await statusError(response, url);
      const etag = response.headers.get('etag');
      return { card: await readCard(response, url), url: url.href, ...(etag !== null && { etag }) };
    });
  } catch (cause) {
    if (cause instanceof CardFetchError) throw cause;
    if (isObject(cause) && cause['name'] === 'TimeoutError')
      throw new CardFetchError('timed_out', `${start.href} did not answer in time`, { retryable: true, cause });
    if (isObject(cause) && cause['cause'] instanceof AddressRefusedError) {
      throw new CardFetchError('address_refused', cause['cause'].message, { retryable: false, cause });
    }
    throw new CardFetchError('unreachable', `${start.href} could not be reached`, { retryable: true, cause });
  }
}

async function follow(
  start: URL,
  signal: AbortSignal,
  { outbound, auth }: CardFetchOptions,
): Promise<{ response: Response; url: URL }> {
  let url = start;
  for (let redirects = 0; redirects <= redirectsCount; redirects += 1) {
    const credential = url.origin === start.origin ? authHeaders(auth) : {};
    const headers = { accept: 'application/json', [VERSION_HEADER]: '1.0', ...credential };
    const response = await outbound.as().fetch(url, { headers, signal });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) return { response, url };
    await response.body?.cancel();
    if (!URL.canParse(location, url.href)) break;
    url = new URL(location, url);
    if (!isFetchable(url)) break;
  }
  const message = `${start.href} redirects more than ${redirectsCount} times, or to what is no http(s) URL`;
  throw new CardFetchError('too_many_redirects', message, { retryable: false });
}

async function statusError(response: Response, url: URL): Promise<CardFetchError> {
  await response.body?.cancel();
  const retryable = temporary.has(response.status);
  return new CardFetchError('status_not_ok', `${url.href} answered ${response.status}`, { retryable });
}

async function readCard(response: Response, url: URL): Promise<FetchedCard['card']> {
  const bytes = await readBytes(response, cardBytes).catch((cause: unknown) => {
    if (!(cause instanceof TooLargeError)) throw cause;
    throw new CardFetchError('too_large', `the card at ${url.href} is larger than 1 MiB`, { retryable: false, cause });
  });
  let card: unknown;
  try {
    card = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    const type = response.headers.get('content-type') ?? 'no content type';
    throw new CardFetchError('not_json', `${url.href} is not JSON in UTF-8 (${type})`, { retryable: false, cause });
  }
  if (isObject(card) && isWithinDepth(card, limits.jsonDepth)) return card;
  const message = `${url.href} is not a JSON object of at most ${limits.jsonDepth} levels`;
  throw new CardFetchError('not_json', message, { retryable: false });
}
