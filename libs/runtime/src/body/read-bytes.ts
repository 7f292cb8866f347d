// Reads a request's body within the limit, after the guard has let the request in. It must never keep more than that.
import type { IncomingMessage } from 'node:http';
import { Problem } from '../problem/problem.ts';
import { maxBodyBytes } from './limits.ts';

/** The body's bytes. Throws a `Problem` when it is too large, encoded, or cut off; what is too large is read and dropped. */
export async function readBytes(request: IncomingMessage): Promise<Uint8Array> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Problem('unsupported-media-type', 'the body must be sent without a Content-Encoding');
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size <= maxBodyBytes) chunks.push(chunk);
      else chunks.length = 0;
    }
  } catch (cause) {
    throw new Problem('malformed-request', 'the body was cut off', {}, { cause });
  }
  if (size > maxBodyBytes) {
    throw new Problem('body-too-large', `the body has ${size} bytes; at most ${maxBodyBytes} are taken`);
  }
  return Buffer.concat(chunks, size);
}
