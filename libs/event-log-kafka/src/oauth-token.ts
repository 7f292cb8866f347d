// Tokens for OAUTHBEARER by the client-credentials grant (RFC 6749 §4.4), kept until shortly before they end.
// The secret goes to the token endpoint alone: it must never be in a message.
import { LogUnavailableError } from '#event-log';
import type { Clock, KafkaSasl } from '#runtime';

type OauthAddress = Extract<KafkaSasl, { readonly mechanism: 'oauthbearer' }>;

interface Token {
  readonly value: string;
  /** From here on another one is asked for. */
  readonly renewAt: number;
}

const MOST_WAIT_MS = 10_000;
/** A token must outlive the request it is asked for; of a short-lived one a fifth is left. */
const SPARE_MS = 60_000;
const SPARE_SHARE = 0.2;

/**
 * Gives a token that is valid for a while, one request at a time for all who ask. Throws `LogUnavailableError` where the
 * endpoint does not give one; the next call asks again.
 */
export function oauthTokens(address: OauthAddress, clock: Clock): () => Promise<string> {
  let token: Token | undefined;
  let asked: Promise<Token> | undefined;
  return async () => {
    if (token !== undefined && clock.now() < token.renewAt) return token.value;
    asked ??= requestToken(address, clock).finally(() => (asked = undefined));
    token = await asked;
    return token.value;
  };
}

async function requestToken({ tokenUrl, clientId, clientSecret, scope }: OauthAddress, clock: Clock): Promise<Token> {
  const askedAt = clock.now();
  const credentials = [clientId, clientSecret].map(formEncoded).join(':');
  let answer: unknown;
  let status: number;
  try {
    const response = await fetch(tokenUrl, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}`, accept: 'application/json' },
      body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) }),
      redirect: 'error',
      signal: AbortSignal.timeout(MOST_WAIT_MS),
    });
    status = response.status;
    answer = await response.json().catch(() => undefined);
  } catch (cause) {
    throw new LogUnavailableError(`${tokenUrl} cannot be reached for a token: ${reasonOf(cause)}`, { cause });
  }
  const { access_token: value, expires_in: lifetime, error } = { ...(answer as Record<string, unknown> | undefined) };
  if (status !== 200 || typeof value !== 'string' || value === '') {
    const why = typeof error === 'string' ? `: ${error.slice(0, 100)}` : '';
    throw new LogUnavailableError(`${tokenUrl} gave no token for the client ${clientId} (${status}${why})`);
  }
  const lifetimeMs = Math.max(Number(lifetime) || 0, 0) * 1_000;
  return { value, renewAt: askedAt + lifetimeMs - Math.min(SPARE_MS, lifetimeMs * SPARE_SHARE) };
}

/** As RFC 6749 §2.3.1 wants the parts of Basic credentials. */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

/** What `fetch` says is only that it failed; why is in its cause. */
function reasonOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown };
  return cause instanceof Error ? cause.message : String(error);
}
