// One call to an agent of what the SDK's client has no method for: JSON there and back, in the agent's own binding and version.
// It must never wait longer than its timeout, nor follow an agent elsewhere.
import type { AgentCalls } from './agent-calls.ts';
import { Exchange } from './exchange.ts';
import { EXTENSION_HEADER, LEGACY_EXTENSION_HEADER, VERSION_HEADER } from './extension.ts';
import { type AgentInterface, readInterfaces } from './interfaces.ts';
import type { AgentTarget, SendOutcome } from './messenger.ts';
import { failedOutcome, isRefusalStatus } from './send-error-map.ts';
import { withinTime } from './within-time.ts';

export interface PlainCall {
  /** In JSON-RPC. */
  readonly method: string;
  /** In HTTP+JSON: below the interface's URL, and below what the version and the agent's own tenant put before it. */
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The members of `params` that are in the path and not in the body. */
  readonly inPath: readonly string[];
  /** Activated. */
  readonly extensions: readonly string[];
}

export type PlainAnswer =
  /** `json` is undefined where it is none. */
  | { readonly outcome: 'answered'; readonly status: number; readonly json: unknown }
  | Exclude<SendOutcome, { readonly outcome: 'acknowledged' }>;

export interface PlainCallOptions {
  readonly timeoutMs: number;
  /** Epoch milliseconds, for a `Retry-After` that is a date. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** Calls the first interface of the card. Never throws for what an agent or a network can do. */
export async function callPlainly(
  calls: AgentCalls,
  target: AgentTarget,
  call: PlainCall,
  { timeoutMs, now, signal }: PlainCallOptions,
): Promise<PlainAnswer> {
  const [via] = readInterfaces(target.card);
  if (via === undefined) {
    const cause = 'the card offers no JSONRPC or HTTP+JSON interface over http(s)';
    return { outcome: 'refused', cause, permanent: true };
  }
  const exchange = new Exchange(calls, target);
  const { url, body } = requestOf(via, call);
  const init = { method: 'POST', headers: headersOf(via, call.extensions), body: JSON.stringify(body) };
  try {
    return await withinTime(timeoutMs, signal, async (ended) => {
      const response = await exchange.fetch(url, { ...init, signal: ended });
      const text = await response.text();
      // What is of the moment alone is told apart as it is of any other call.
      if (!response.ok && !isRefusalStatus(response.status)) {
        return failedOutcome(new Error('it did not take it'), exchange, now());
      }
      return { outcome: 'answered', status: response.status, json: jsonOf(text) };
    });
  } catch (error) {
    return failedOutcome(error, exchange, now());
  }
}

function requestOf({ url, protocolBinding, protocolVersion, tenant }: AgentInterface, call: PlainCall) {
  const ofTenant = tenant === undefined ? {} : { tenant };
  if (protocolBinding === 'JSONRPC') {
    return { url, body: { jsonrpc: '2.0', id: 1, method: call.method, params: { ...ofTenant, ...call.params } } };
  }
  const before = isLegacy(protocolVersion) ? '/v1' : tenant === undefined ? '' : `/${encodeURIComponent(tenant)}`;
  const below = new URL(url);
  below.pathname = `${below.pathname.replace(/\/+$/, '')}${before}${call.path}`;
  const inBody = Object.entries(call.params).filter(([name]) => !call.inPath.includes(name));
  return { url: below.href, body: Object.fromEntries(inBody) };
}

function headersOf({ protocolVersion }: AgentInterface, extensions: readonly string[]): Record<string, string> {
  const header = isLegacy(protocolVersion) ? LEGACY_EXTENSION_HEADER : EXTENSION_HEADER;
  return {
    ...{ 'content-type': 'application/json', accept: 'application/json', [VERSION_HEADER]: protocolVersion },
    ...(extensions.length > 0 && { [header]: extensions.join(', ') }),
  };
}

function isLegacy(protocolVersion: string): boolean {
  return protocolVersion.startsWith('0.');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
