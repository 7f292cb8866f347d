// What a failed call means, from what the wire saw and what the agent said. In doubt: unknown.
import { isJsonRpcError } from '@a2a-js/sdk/errors';
import { passingStatuses, readRetryAfter } from '#outbound';
import type { Exchange } from './exchange.ts';
import type { SendOutcome } from './messenger.ts';
import { isObject } from './shape.ts';

type FailedOutcome = Exclude<SendOutcome, { readonly outcome: 'acknowledged' }>;

// The agent read the request and turned it down: JSON-RPC's own errors, and A2A's (a2a.md; not -32603, internal error).
const refusedCodes = new Set([
  -32700, -32600, -32601, -32602, -32001, -32002, -32003, -32004, -32005, -32007, -32008, -32009,
]);

// What is answered with a passing status was not processed. 503 is none of them, whatever it asks to wait: proxies answer
// it, `Retry-After` included, for an agent that went away in the middle of the request, as they do 502 and 504. It is
// unknown, looked for after what it asks for, and a look costs a request, where a wrong guess costs a second task.

/** By the status alone the agent has turned the request down, and not for the moment. */
export function isRefusalStatus(status: number): boolean {
  const isRefusal = (status >= 300 && status < 500) || status === 501 || status === 505;
  return isRefusal && !passingStatuses.has(status);
}

/** The outcome of a call that threw. `nowMs` turns a `Retry-After` date into a duration. */
export function failedOutcome(error: unknown, exchange: Exchange, nowMs: number): FailedOutcome {
  const { stage, status, withheld } = exchange;
  const said = causeText(error, stage === 'answered' ? status : undefined);
  const cause = withheld === undefined ? said : `${said} (${withheld})`;
  if (stage === 'unsent') return { outcome: 'refused', cause, permanent: true };
  if (stage !== 'answered') return { outcome: stage === 'unreached' ? 'unreachable' : 'unknown', cause };
  const retryAfterMs = readRetryAfter(exchange.retryAfter, nowMs);
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (passingStatuses.has(status)) return { outcome: 'unreachable', cause, ...wait };
  if (isRefusalStatus(status) || (isJsonRpcError(error) && refusedCodes.has(error.envelopeCode))) {
    return { outcome: 'refused', cause, permanent: true };
  }
  return { outcome: 'unknown', cause, ...wait };
}

function causeText(error: unknown, status: number | undefined): string {
  const inner = isObject(error) && isObject(error['cause']) ? `: ${messageOf(error['cause'])}` : '';
  const text = `${status === undefined ? '' : `HTTP ${status}: `}${messageOf(error)}${inner}`;
  return text
    .replaceAll('\0', ' ')
    .replace(/\p{Surrogate}/gu, ' ')
    .slice(0, 500);
}

function messageOf(error: unknown): string {
  const message = isObject(error) ? error['message'] : error;
  return typeof message === 'string' && message !== '' ? message : 'no reason given';
}
