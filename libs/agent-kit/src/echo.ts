// Echoes activated extensions in the response header (Expectations §7), on every answer and stream, whoever writes it. A
// middleware for Express, and for Node's own http without `next`.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { EXTENSION_HEADER, LEGACY_EXTENSION_HEADER, understoodUris } from '#protocol/pure';
import { urisIn } from './activation.ts';

export type EchoMiddleware = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

/**
 * Adds what is requested and among `uris` (this extension, unless given) to what the response echoes anyway, each once, under
 * the header that the request had: 0.3 has one of its own. To be used before the handlers.
 */
export function echoExtensions(uris: readonly string[] = understoodUris): EchoMiddleware {
  return (request, response, next) => {
    for (const name of [EXTENSION_HEADER, LEGACY_EXTENSION_HEADER]) {
      const asked = urisIn(request.headers[name.toLowerCase()]).filter((uri) => uris.includes(uri));
      if (asked.length > 0) addAtLast(response, name, asked);
    }
    next?.();
  };
}

// What is set now may be set anew by whoever answers: it is added when the head is written.
function addAtLast(response: ServerResponse, name: string, asked: readonly string[]): void {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
  response.writeHead = (...head: unknown[]) => {
    if (!response.headersSent)
      response.setHeader(name, [...new Set([...urisIn(response.getHeader(name)), ...asked])].join(', '));
    return writeHead(...head);
  };
}
