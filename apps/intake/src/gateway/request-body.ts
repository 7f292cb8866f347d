// The body of a request to an agent, within the gateway's shares. It must never keep more than they allow.
import type { IncomingMessage } from 'node:http';
import { GatheredBytes } from '#protocol';
import { maxBodyBytes, Problem } from '#runtime';
import type { GatewayShare } from './gateway-shares.ts';

/**
 * The body's bytes, held by the share until it is freed. Throws a `Problem` where it is too large, encoded or cut off, or
 * where too much is held. What is refused is read to its end and dropped, so that the client reads why.
 */
export async function readRequestBody(request: IncomingMessage, share: GatewayShare): Promise<Uint8Array> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Problem('unsupported-media-type', 'the body must be sent without a Content-Encoding');
  }
  const gathered = new GatheredBytes(maxBodyBytes);
  let refused: Problem | undefined;
  try {
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      if (refused !== undefined) continue;
      refused = refusalOf(chunk, gathered, share);
      if (refused !== undefined) gathered.take();
    }
  } catch (cause) {
    throw new Problem('malformed-request', 'the body was cut off', {}, { cause });
  }
  if (refused !== undefined) throw refused;
  return gathered.take();
}

/** Why the piece is not kept; undefined where it is. */
function refusalOf(chunk: Uint8Array, gathered: GatheredBytes, share: GatewayShare): Problem | undefined {
  try {
    share.take(chunk.byteLength);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  if (gathered.add(chunk)) return undefined;
  return new Problem('body-too-large', `the body has more than the ${maxBodyBytes} bytes that are taken`);
}
