// The tool that agents call: it counts who has asked for what, and answers once it is told to.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ToolCall {
  readonly what: string;
  readonly pid: number;
}

export class CountingTool {
  readonly calls: ToolCall[] = [];
  private readonly waiting = new Map<string, ServerResponse[]>();
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://tool');
      const what = decodeURIComponent(url.pathname.slice(1));
      this.calls.push({ what, pid: Number(url.searchParams.get('pid')) });
      if (what.startsWith('before')) response.end('noted');
      else this.waiting.set(what, [...(this.waiting.get(what) ?? []), response]);
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  of(what: string): readonly ToolCall[] {
    return this.calls.filter((call) => call.what === what);
  }

  /** Answers who has asked for it. */
  answer(what: string): void {
    for (const response of this.waiting.get(what) ?? []) response.end('tooled');
    this.waiting.delete(what);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
