// Serves `extension.json`, for Express or Node's own http.
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extensionJson } from './extension-schema.ts';

const body = JSON.stringify(extensionJson);
const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;

/** Answers a GET or HEAD with the document, 304 to who has it, 405 to anything else. */
export function serveExtensionJson(request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  const isKnown = request.headers['if-none-match'] === etag;
  const headers = { etag, 'cache-control': 'public, max-age=3600', 'access-control-allow-origin': '*' };
  response.writeHead(isKnown ? 304 : 200, {
    ...headers,
    ...(!isKnown && { 'content-type': 'application/schema+json' }),
  });
  response.end(isKnown || request.method === 'HEAD' ? undefined : body);
}
