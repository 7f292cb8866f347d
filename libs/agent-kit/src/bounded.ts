// What a stranger answers, up to a bound.

/** The response, failing where it is read past so many bytes; a stream of events has no end, and is passed as it is. */
export function bounded(response: Response, mostBytes: number): Response {
  const { body, status, statusText, headers } = response;
  if (body === null || /^text\/event-stream/i.test(headers.get('content-type') ?? '')) return response;
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > mostBytes) controller.error(new RangeError(`the answer is larger than ${mostBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(counted), { status, statusText, headers });
}
