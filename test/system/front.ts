// What an ingress is to apps that stand apart: one address before them. It must never change what it passes on, nor hold
// back any of it.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type Edge, edgeOf } from './routes.ts';

/** The addresses of those that run now, in a fixed order. */
export type EdgeUrls = (edge: Edge) => readonly string[];

export class Front {
  private turn = 0;

  private constructor(
    private readonly server: Server,
    private readonly edgeUrls: EdgeUrls,
  ) {}

  static async open(edgeUrls: EdgeUrls): Promise<Front> {
    // It has no opinion about what is a good request: those behind it have.
    const server = createServer({ maxHeaderSize: 64 * 1024, requestTimeout: 0, headersTimeout: 0 });
    const front = new Front(server, edgeUrls);
    server.on('request', (asked, answer) => front.pass(asked, answer));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return front;
  }

  /** Without a path. */
  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('it listens on a port');
    return `http://127.0.0.1:${address.port}`;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  /** In turns, where there are several; 502 where there is none, or it gives no answer. */
  private pass(asked: IncomingMessage, answer: ServerResponse): void {
    const urls = this.edgeUrls(edgeOf(asked.method ?? 'GET', asked.url ?? '/'));
    const url = urls[(this.turn += 1) % urls.length];
    if (url === undefined) {
      refuse(answer);
      return;
    }
    const { hostname, port } = new URL(url);
    // A connection each: one that is kept may be gone when it is wanted.
    const { connection: _, ...headers } = asked.headers;
    const passed = request({ agent: false, hostname, port, method: asked.method, path: asked.url, headers });
    passed.once('response', (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      answer.flushHeaders();
      given.pipe(answer);
      given.once('error', () => answer.destroy());
    });
    passed.once('error', () => (answer.headersSent ? answer.destroy() : refuse(answer)));
    answer.once('close', () => passed.destroy());
    asked.pipe(passed);
  }
}

function refuse(answer: ServerResponse): void {
  answer.writeHead(502, { 'content-type': 'text/plain' }).end('none of them has answered\n');
}
