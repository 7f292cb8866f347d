// Serves agents' cards to tests, and remembers what was asked.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CardServer {
  readonly url: string;
  /** What is served from here on; a text as it is. */
  card: unknown;
  /** With which status and further headers; a request with the `etag` of the headers is answered 304. */
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The headers of every request, in order. */
  readonly requests: readonly IncomingHttpHeaders[];
  close(): Promise<void>;
}

/** A card that declares the kind `shipment.departure`, or what `params` say. */
export function exampleCard(params: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const departure = {
    kind: 'shipment.departure',
    subjectType: 'shipment',
    describes: 'a departure',
    basis: 'observed',
  };
  const declared = { keepsTime: false, lapseSkill: 'handle_lapse', kinds: [departure], ...params };
  return {
    name: 'Booking',
    supportedInterfaces: [{ url: 'http://127.0.0.1:9/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { extensions: [{ uri: 'https://rsaxb.com/a2a/expectations/v1', required: false, params: declared }] },
    skills: [{ id: 'handle_lapse', name: 'Handle a lapse', description: 'Answers for a lapse', tags: [] }],
  };
}

export async function startCardServer(): Promise<CardServer> {
  const requests: IncomingHttpHeaders[] = [];
  const served: Pick<CardServer, 'card' | 'status' | 'headers'> = { card: exampleCard(), status: 200, headers: {} };
  const server = createServer((request, response) => {
    requests.push(request.headers);
    const { status, headers } = served;
    const isKnown = headers['etag'] !== undefined && request.headers['if-none-match'] === headers['etag'];
    response.writeHead(isKnown ? 304 : status, { 'content-type': 'application/json', ...headers });
    if (isKnown) return void response.end();
    response.end(typeof served.card === 'string' ? served.card : JSON.stringify(served.card));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(served, {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
