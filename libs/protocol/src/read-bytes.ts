// Reads a response's body within a bound, whatever its length header says.
import { GatheredBytes } from './gathered-bytes.ts';

export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
  readonly retryable = false;
}

/** The whole body. Throws `TooLargeError` past `limit` bytes, and whatever the connection throws. */
export async function readBytes(response: Response, limit: number): Promise<Uint8Array> {
  const gathered = new GatheredBytes(limit);
  const body: AsyncIterable<Uint8Array> | readonly never[] = response.body ?? [];
  for await (const chunk of body) {
    if (!gathered.add(chunk)) throw new TooLargeError(`the body is larger than ${limit} bytes`);
  }
  return gathered.take();
}
