// Fetches an agent's card. Whoever serves it is a stranger: size, time, redirects and form are bounded.
// It must never send the credential to another origin than the one asked.
import { AddressRefusedError, type Outbound, passingStatuses } from '#outbound';
import { AccessTokenError } from './access-tokens.ts';
import type { AgentAuth } from './agent-auth.ts';
import { AgentCalls } from './agent-calls.ts';
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
  'token_refused',
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

/** How long the card may be believed, and how it is asked for again. */
export interface CardValidity {
  readonly etag?: string;
  /** `Cache-Control: max-age`, in seconds. */
  readonly maxAgeSeconds?: number;
}

export interface FetchedCard extends CardValidity {
  /** The card's JSON as served. */
  readonly card: { readonly [key: string]: unknown };
  /** Where it was in the end. */
  readonly url: string;
}

/** The card is the one that the entity tag is of (304). */
export interface UnchangedCard extends CardValidity {
  readonly card: undefined;
}

export interface CardFetchOptions {
  /** Through which it is called. */
  readonly outbound: Outbound;
  /** Keeps tokens from call to call; without it each asks for its own. */
  readonly calls?: AgentCalls;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly auth?: AgentAuth;
}

const defaultTimeoutMs = 10_000;
const cardBytes = 1_048_576;
const redirectsCount = 3;
const temporary = new Set([...passingStatuses, 500, 502, 503, 504]);

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
  const fetched = await ask(cardUrl(text), options, undefined);
  if (fetched.card === undefined) {
    throw new CardFetchError('status_not_ok', `${text} answered 304 unasked`, { retryable: false });
  }
  return fetched;
}

/** The same unless it is still the card that the entity tag was given with. Throws `CardFetchError`. */
export async function fetchCardUnless(
  etag: string | undefined,
  text: string,
  options: CardFetchOptions,
): Promise<FetchedCard | UnchangedCard> {
  if (etag === undefined) return fetchCard(text, options);
  return ask(cardUrl(text), options, etag);
}

async function ask(
  start: URL,
  options: CardFetchOptions,
  etag: string | undefined,
): Promise<FetchedCard | UnchangedCard> {
  try {
    return await withinTime(options.timeoutMs ?? defaultTimeoutMs, options.signal, async (signal) => {
      const { response, url } = await follow(start, signal, options, etag);
      if (response.status === 304 && etag !== undefined) {
        await response.body?.cancel();
        return { card: undefined, etag, ...validityOf(response) };
      }
      if (!response.ok) throw await statusError(response, url);
      return { card: await readCard(response, url), url: url.href, ...validityOf(response) };
    });
  } catch (cause) {
    if (cause instanceof CardFetchError) throw cause;
    if (cause instanceof AccessTokenError) {
      throw new CardFetchError('token_refused', cause.message, { retryable: cause.retryable, cause });
    }
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
  { outbound, auth, calls = new AgentCalls({ outbound, now: () => 0 }) }: CardFetchOptions,
  etag: string | undefined,
): Promise<{ response: Response; url: URL }> {
  // Whatever else the credential is for: a card is asked for with it where it was said to be, and nowhere else.
  const agent = auth === undefined ? {} : { cardUrl: start.href, auth: { ...auth, origins: [] } };
  const conditional = etag === undefined ? {} : { 'if-none-match': etag };
  let url = start;
  for (let redirects = 0; redirects <= redirectsCount; redirects += 1) {
    const headers = { accept: 'application/json', [VERSION_HEADER]: '1.0', ...conditional };
    const response = await calls.fetch(agent, url, { headers, signal });
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

/** What the answer's headers say, where it can be used. */
function validityOf({ headers }: Response): CardValidity {
  const etag = headers.get('etag');
  const maxAge = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,9})\b/i.exec(headers.get('cache-control') ?? '')?.[1];
  return {
    ...(etag !== null && /^[\x21-\x7e]{1,1000}$/.test(etag) && { etag }),
    ...(maxAge !== undefined && { maxAgeSeconds: Number(maxAge) }),
  };
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
