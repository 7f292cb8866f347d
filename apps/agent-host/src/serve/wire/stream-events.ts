// The events of a stream as the SDK's transports write them, each in one piece, for who has something to say of them.
import type { Response } from 'express';

/** Before a transport that writes streams. `change` is given each event's JSON, and gives what is written, or undefined. */
export function changeEvents(response: Response, change: (json: string) => object | undefined): void {
  const write = response.write.bind(response);
  response.write = ((chunk: unknown, ...rest: []) => write(changed(chunk, change), ...rest)) as typeof response.write;
}

function changed(chunk: unknown, change: (json: string) => object | undefined): unknown {
  if (typeof chunk !== 'string' || !chunk.startsWith('data: ')) return chunk;
  const event = change(chunk.slice('data: '.length));
  return event === undefined ? chunk : `data: ${JSON.stringify(event)}\n\n`;
}
