// The end of an HTTP server in order: nobody new is let in, and whoever waits for an answer gets it, while everything
// that answers still runs.
import type { Server, ServerResponse } from 'node:http';
import type { Clock } from './clock.ts';

const lookEveryMs = 20;

export class HttpDrain {
  private readonly open = new Set<ServerResponse>();
  private isDraining = false;

  /** Made before the server listens. */
  constructor(
    private readonly server: Server,
    private readonly clock: Clock,
  ) {
    server.prependListener('request', (_request, response: ServerResponse) => this.watch(response));
  }

  /**
   * Resolves once every request is answered, or after `mostMs`. An answer that flows already (a stream) is not waited
   * for: only the server's close ends it.
   */
  async drain(mostMs: number): Promise<void> {
    this.isDraining = true;
    this.server.close();
    for (const response of this.open) endConnection(response);
    const until = this.clock.now() + mostMs;
    while (this.isAnyUnanswered() && this.clock.now() < until) await this.clock.sleep(lookEveryMs);
  }

  /**
   * Runs `close`, which ends streams and waits for every connection. What is left of those after `mostMs`, of clients
   * that send or read too slowly, is cut: nobody may hold up the end.
   */
  async close(close: () => Promise<void>, mostMs: number): Promise<void> {
    const closed = new AbortController();
    const cutting = this.clock.sleep(mostMs, closed.signal).then(() => this.server.closeAllConnections());
    try {
      await close();
    } finally {
      closed.abort();
      await cutting;
    }
  }

  private watch(response: ServerResponse): void {
    this.open.add(response);
    if (this.isDraining) endConnection(response);
    response.once('close', () => {
      this.open.delete(response);
      // Where the answer had begun before, its connection would be kept for the next request.
      if (this.isDraining) setImmediate(() => this.server.closeIdleConnections());
    });
  }

  private isAnyUnanswered(): boolean {
    return [...this.open].some((response) => !response.headersSent);
  }
}

function endConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
