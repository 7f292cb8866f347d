// Calls to an agent with its credential: as headers, by a token that is asked for, or over TLS.
// The credential must never leave for an origin it is not for: every URL is looked at where it is called.
import type { Outbound } from '#outbound';
import { AccessTokens } from './access-tokens.ts';
import { type AgentAuth, originsOf } from './agent-auth.ts';

/** Whose credential it is: it is shown at the origin of `cardUrl` and at its own `origins`. */
export interface CalledAgent {
  readonly cardUrl?: string;
  readonly auth?: AgentAuth;
}

export interface AgentCallsOptions {
  /** Through which agents and token endpoints are called. */
  readonly outbound: Outbound;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

type Fetch = typeof fetch;

export class AgentCalls {
  private readonly outbound: Outbound;
  private readonly tokens: AccessTokens;

  constructor(options: AgentCallsOptions) {
    this.outbound = options.outbound;
    this.tokens = new AccessTokens(options);
  }

  /**
   * Calls `url`. `onSend` is told each time the request is about to leave. A token that is not taken (401) is replaced
   * once, where the body can be sent again. Follows no redirect. Throws `AccessTokenError`, where nothing has left or
   * only what was answered 401, and what `fetch` throws.
   */
  async fetch(
    agent: CalledAgent,
    url: Parameters<Fetch>[0],
    init: RequestInit = {},
    onSend: () => void = () => undefined,
  ): Promise<Response> {
    const auth = isWithheld(agent, url) ? undefined : agent.auth;
    const send: Fetch = (to, more) => {
      onSend();
      return this.outbound.as(identityOf(auth)).fetch(to, more);
    };
    if (auth === undefined || auth.type === 'mtls') return send(url, init);
    if (auth.type === 'bearer') return send(url, withHeader(init, 'authorization', `Bearer ${auth.token}`));
    if (auth.type === 'header') return send(url, withHeader(init, auth.name, auth.value));
    const token = await this.tokens.of(auth, init.signal);
    const response = await send(url, withHeader(init, 'authorization', `Bearer ${token}`));
    const isRepeatable = init.body === undefined || init.body === null || typeof init.body === 'string';
    if (response.status !== 401 || !isRepeatable) return response;
    await response.body?.cancel();
    this.tokens.drop(auth, token);
    const another = await this.tokens.of(auth, init.signal);
    return send(url, withHeader(init, 'authorization', `Bearer ${another}`));
  }
}

/** Whether the agent has a credential that is not shown at the URL. */
export function isWithheld({ auth, cardUrl }: CalledAgent, url: Parameters<Fetch>[0]): boolean {
  if (auth === undefined) return false;
  return !originsOf(auth, cardUrl).has(new URL(url instanceof Request ? url.url : url).origin);
}

function identityOf(auth: AgentAuth | undefined) {
  if (auth?.type !== 'mtls') return undefined;
  const { certificate, privateKey, authorities } = auth;
  return { certificate, privateKey, ...(authorities !== undefined && { authorities }) };
}

function withHeader(init: RequestInit, name: string, value: string): RequestInit {
  const headers = new Headers(init.headers);
  headers.set(name, value);
  return { ...init, headers };
}
