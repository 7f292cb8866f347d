// Reads a response's body within a bound, whatever its length header says.

export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
  readonly retryable = false;
}

/** The whole body. Throws `TooLargeError` past `limit` bytes, and whatever the connection throws. */
export async function readBytes(response: Response, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const body: AsyncIterable<Uint8Array> | readonly never[] = response.body ?? [];
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > limit) throw new TooLargeError(`the body is larger than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
