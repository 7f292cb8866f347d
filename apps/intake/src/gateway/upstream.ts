// The call to the agent: bytes out as they came, bytes back as they come.
import type { Dispatcher } from 'undici';
import type { Exchange } from './exchange.ts';
import { agentFault, unusableAnswer } from './agent-fault.ts';
import type { GatewayLimits } from './gateway-limits.ts';

export type Upstream = Dispatcher.ResponseData;

/**
 * Sends the request and resolves once the head of the answer is there. Throws `AgentFault` where there is none, or none
 * that may pass: a redirection would lead the client, or its credential, past the gateway.
 */
export async function callAgent(
  dispatcher: Dispatcher,
  exchange: Exchange,
  limits: GatewayLimits,
  signal: AbortSignal,
): Promise<Upstream> {
  const { target, method, headers, body, operation } = exchange;
  const isStream = operation.kind === 'stream' || wantsStream(exchange);
  let upstream: Upstream;
  try {
    upstream = await dispatcher.request({
      ...target,
      method,
      headers: headers.flat(),
      body: body.length === 0 ? null : body,
      signal,
      headersTimeout: operation.kind === 'other' ? limits.headersMs : limits.sendHeadersMs,
      bodyTimeout: isStream ? limits.streamMs : limits.bodyMs,
    });
  } catch (error) {
    throw agentFault(error);
  }
  const refused = unusable(upstream);
  if (refused === undefined) return upstream;
  abandon(upstream);
  throw unusableAnswer(refused);
}

/** The body as it comes. Throws `AgentFault` where it breaks off. */
export async function* chunksOf({ body }: Upstream): AsyncGenerator<Uint8Array> {
  try {
    yield* body as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw agentFault(error);
  }
}

/** Lets go of an answer whose rest nobody reads. */
export function abandon({ body }: Upstream): void {
  body.on('error', () => undefined);
  body.destroy();
}

function unusable({ statusCode, headers }: Upstream): string | undefined {
  if (statusCode >= 300 && statusCode < 400 && statusCode !== 304) {
    return `the agent redirects (${statusCode}), and redirections are not followed: register the card of where it is`;
  }
  const encoding = [headers['content-encoding'] ?? 'identity'].flat().join().toLowerCase();
  if (encoding === 'identity') return undefined;
  return 'the agent encodes its answer though it was asked for identity, so that it cannot be watched';
}

function wantsStream({ headers }: Exchange): boolean {
  return headers.some(([name, value]) => name.toLowerCase() === 'accept' && value.includes('text/event-stream'));
}
