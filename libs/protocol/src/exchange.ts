// One call to an agent as the wire saw it. The SDK's errors do not say what became of the bytes; this does.
import { AddressRefusedError, type Outbound } from '#outbound';
import { type AgentAuth, authHeaders } from './agent-auth.ts';
import { readBytes } from './read-bytes.ts';
import { isList, isObject } from './shape.ts';

const answerBytes = 8_388_608;

// Failures before a byte of the request could have been read by the agent.
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);
const certificateTrouble = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_)/;

/** Gives the SDK a `fetch` that adds the credential, follows no redirect, bounds the answer, and remembers. */
export class Exchange {
  /**
   * How far the last request got. `unsent`: it could not even be put on the wire, or must not; `unreached`: it certainly never
   * reached the agent; `sent`: the agent may have read it; `answered`: it answered with `status`.
   */
  stage: 'unsent' | 'unreached' | 'sent' | 'answered' = 'unsent';
  /** Of the last answer; 0 where none came. */
  status = 0;
  retryAfter: string | null = null;
  private readonly outbound: Outbound;
  private readonly auth: AgentAuth | undefined;
  private readonly isStreaming: boolean;

  /** `isStreaming`: an answer that is a stream of events is handed on as it comes; whoever reads it bounds each event. */
  constructor(outbound: Outbound, auth: AgentAuth | undefined, isStreaming = false) {
    this.outbound = outbound;
    this.auth = auth;
    this.isStreaming = isStreaming;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    this.stage = 'unsent';
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(authHeaders(this.auth))) headers.set(name, value);
    const response = await this.sent(input, { ...init, headers });
    const isStream = this.isStreaming && /^text\/event-stream/i.test(response.headers.get('content-type') ?? '');
    const bytes = isStream ? null : await readBytes(response, answerBytes);
    this.stage = 'answered';
    this.status = response.status;
    this.retryAfter = response.headers.get('retry-after');
    if (isStream) return response;
    const { status, statusText } = response;
    const isBodiless = status === 204 || status === 205 || status === 304;
    return new Response(isBodiless ? null : bytes, { status, statusText, headers: response.headers });
  };

  private async sent(input: Parameters<typeof fetch>[0], init: RequestInit): Promise<Response> {
    this.stage = init.signal?.aborted === true ? 'unreached' : 'sent';
    try {
      return await this.outbound.as().fetch(input, init);
    } catch (error) {
      if (isRefusedAddress(error)) this.stage = 'unsent';
      else if (isBeforeSending(error)) this.stage = 'unreached';
      throw error;
    }
  }
}

function isRefusedAddress(error: unknown): boolean {
  return memberOf(error, 'cause') instanceof AddressRefusedError;
}

function isBeforeSending(error: unknown): boolean {
  const cause = memberOf(error, 'cause');
  const attempts = memberOf(cause, 'errors');
  return (isList(attempts) ? attempts : [cause]).every((attempt) => {
    const code = String(memberOf(attempt, 'code'));
    return neverSent.has(code) || certificateTrouble.test(code);
  });
}

// Errors of another realm are no `Error` here, and need not be objects at all.
function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && name in value ? value[name] : undefined;
}
