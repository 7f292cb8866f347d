// Tokens by the client-credentials grant (RFC 6749 §4.4), kept until shortly before they end, one request at a time.
// Neither secret nor token may ever be in a message: of what the endpoint says only the codes of the RFC are repeated.
import { createHash } from 'node:crypto';
import { AddressRefusedError, type Outbound, passingStatuses } from '#outbound';
import type { OauthClient } from './agent-auth.ts';
import { readBytes } from './read-bytes.ts';
import { isObject } from './shape.ts';
import { withinTime } from './within-time.ts';

/** No token was given. `retryable` where the same request may go better later. */
export class AccessTokenError extends Error {
  override readonly name = 'AccessTokenError';
  readonly retryable: boolean;

  constructor(message: string, options: { readonly retryable: boolean; readonly cause?: unknown }) {
    super(message, { cause: options.cause });
    this.retryable = options.retryable;
  }
}

export interface AccessTokensOptions {
  /** Through which the endpoints are called. */
  readonly outbound: Outbound;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Of one request and its answer; 10 s unless given. */
  readonly timeoutMs?: number;
}

interface Token {
  readonly value: string;
  /** From here on another one is asked for. */
  readonly renewAt: number;
}

interface Client {
  token?: Token | undefined;
  asked?: Promise<Token> | undefined;
}

const answerBytes = 65_536;
const tokenCharacters = 16_384;
/** Clients remembered; the one used longest ago goes first. */
const clientsCount = 1_000;
/** A token must outlive the request it is for; of a short-lived one a fifth is left. */
const spareMs = 60_000;
const spareShare = 0.2;
/** Of a token that does not say how long it lives. */
const unsaidLifetimeMs = 300_000;
const mostLifetimeMs = 86_400_000;

/** RFC 6749 §5.2. */
const knownErrors = new Set([
  ...['invalid_request', 'invalid_client', 'invalid_grant'],
  ...['unauthorized_client', 'unsupported_grant_type', 'invalid_scope'],
]);

export class AccessTokens {
  private readonly options: AccessTokensOptions;
  private readonly clients = new Map<string, Client>();

  constructor(options: AccessTokensOptions) {
    this.options = options;
  }

  /** A token that is valid for a while. `signal` ends the wait alone. Throws `AccessTokenError`; the next call asks again. */
  async of(auth: OauthClient, signal?: AbortSignal | null): Promise<string> {
    const client = this.clientOf(auth);
    const { token } = client;
    if (token !== undefined && this.options.now() < token.renewAt) return token.value;
    client.asked ??= this.request(auth).finally(() => (client.asked = undefined));
    client.token = await untilAborted(client.asked, signal);
    return client.token.value;
  }

  /** The token was not taken: the next call asks for another. */
  drop(auth: OauthClient, value: string): void {
    const client = this.clientOf(auth);
    if (client.token?.value === value) client.token = undefined;
  }

  private clientOf(auth: OauthClient): Client {
    const { tokenUrl, clientId, clientSecret, scope, audience } = auth;
    const key = createHash('sha256')
      .update(JSON.stringify([tokenUrl, clientId, clientSecret, scope, audience]))
      .digest('base64');
    const client = this.clients.get(key) ?? {};
    this.clients.delete(key);
    this.clients.set(key, client);
    for (const oldest of this.clients.keys()) {
      if (this.clients.size <= clientsCount) break;
      this.clients.delete(oldest);
    }
    return client;
  }

  private async request(auth: OauthClient): Promise<Token> {
    const askedAt = this.options.now();
    const where = `the token endpoint at ${new URL(auth.tokenUrl).origin}`;
    const { status, answer } = await this.ask(auth).catch((cause: unknown) => {
      const refused = isObject(cause) && cause['cause'] instanceof AddressRefusedError ? cause['cause'] : undefined;
      const why = refused === undefined ? 'gave no answer that could be read' : `is not called: ${refused.message}`;
      throw new AccessTokenError(`${where} ${why}`, { retryable: refused === undefined, cause });
    });
    const { access_token: value, token_type: type, expires_in: lifetime, error } = answer;
    const isBearer = typeof type === 'string' && type.toLowerCase() === 'bearer';
    if (status === 200 && isBearer && isToken(value)) return { value, renewAt: askedAt + usableMs(lifetime) };
    const code = typeof error === 'string' && knownErrors.has(error) ? `: ${error}` : '';
    const retryable = status < 300 || status >= 500 || passingStatuses.has(status);
    throw new AccessTokenError(`${where} gave no bearer token (${status}${code})`, { retryable });
  }

  private async ask({ tokenUrl, clientId, clientSecret, scope, audience }: OauthClient) {
    const { outbound, timeoutMs = 10_000 } = this.options;
    const basic = Buffer.from([clientId, clientSecret].map(formEncoded).join(':')).toString('base64');
    const form = {
      grant_type: 'client_credentials',
      ...(scope !== undefined && { scope }),
      ...(audience !== undefined && { audience }),
    };
    return withinTime(timeoutMs, undefined, async (signal) => {
      const response = await outbound.as().fetch(tokenUrl, {
        method: 'POST',
        headers: {
          authorization: `Basic ${basic}`,
          accept: 'application/json',
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams(form).toString(),
        signal,
      });
      const answer = parsed(await readBytes(response, answerBytes));
      return { status: response.status, answer: isObject(answer) ? answer : {} };
    });
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length <= tokenCharacters && /^[\x21-\x7e]+$/.test(value);
}

function usableMs(lifetime: unknown): number {
  const seconds = lifetime === undefined ? NaN : Number(lifetime);
  const lifetimeMs = seconds >= 0 ? Math.min(seconds * 1_000, mostLifetimeMs) : unsaidLifetimeMs;
  return lifetimeMs - Math.min(spareMs, lifetimeMs * spareShare);
}

/** As RFC 6749 §2.3.1 wants the parts of Basic credentials. */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

/** The promise's outcome, unless the signal aborts first: what all wait for goes on. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return promise;
  let end: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (end) signal.removeEventListener('abort', end);
  }
}
