// What Node itself refuses, told like everything else: a request it cannot parse, too large a head, a body too slow.
// It must never write into an answer that has begun.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorCode } from './error-code.ts';
import { problemErrorMap } from './problem/http-error-map.ts';
import { problemBody } from './problem/problem.filter.ts';
import { Problem } from './problem/problem.ts';

/** The longest a request may take to arrive whole; its head half of that. */
const requestTimeoutMs = 60_000;
const lookEveryMs = 5_000;

/** To be called before the server listens. */
export function refuseAsProblems(server: Server): void {
  const begun = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
    begun.set(request.socket, response),
  );
  server.on('clientError', (error, socket) => refuse(toRefusal(error), socket, begun.get(socket)));
  // An expectation that is not known may be passed over (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.requestTimeout = requestTimeoutMs;
  server.headersTimeout = requestTimeoutMs / 2;
  // Read when the server begins to listen; not in the types. A request without a host is refused by `assertHost`.
  Object.assign(server, { connectionsCheckingInterval: lookEveryMs, requireHostHeader: false });
}

/** Stands before all handlers. Throws `Problem` where HTTP/1.1 asks for a Host header and there is none (RFC 9110, 7.2). */
export function assertHost(request: IncomingMessage, _: unknown, next: () => void): void {
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    throw new Problem('malformed-request', 'the header Host is missing');
  }
  next();
}

function toRefusal(error: Error): Problem {
  switch (errorCode(error)) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('head-too-large', 'the request line and the headers may have at most 16 kB');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('body-too-large', 'the extensions of a chunk are too large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request-timeout', `the request did not arrive whole within ${requestTimeoutMs / 1_000} s`);
    default:
      return new Problem('malformed-request', `it is not HTTP as it must be: ${error.message}`);
  }
}

function refuse(problem: Problem, socket: Duplex, response: ServerResponse | undefined): void {
  const isAnswering = response !== undefined && response.headersSent && !response.writableFinished;
  if (!socket.writable || isAnswering) {
    socket.destroy();
    return;
  }
  const { status } = problemErrorMap[problem.type];
  const body = JSON.stringify(problemBody(problem));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
