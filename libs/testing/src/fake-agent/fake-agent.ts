// A real A2A agent on the A2A project's SDK, in this process, that can be told to misbehave.
// It deduplicates nothing, as no official server does: what is sent twice becomes two tasks.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentCard, type Message } from '@a2a-js/sdk';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express, { type NextFunction, type Request, type Response } from 'express';
import { CompletingExecutor } from './completing-executor.ts';

/**
 * What happens to one request instead of an answer: an HTTP answer of its own; `lost`: the connection is cut before
 * the agent has read it; `cut`: after the agent has done it; `hung`: the agent does it and never answers.
 */
export type AgentFault =
  | 'lost'
  | 'cut'
  | 'hung'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown };

/** One request as it came in. */
export interface SeenRequest {
  readonly isSend: boolean;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export class FakeAgent {
  /** Met by the next SendMessage requests, one each, in order. */
  readonly sendFaults: AgentFault[] = [];
  /** Met by the next requests of any other kind. */
  readonly lookUpFaults: AgentFault[] = [];
  readonly seen: SeenRequest[] = [];
  /** The messages that reached the agent's own code, in order. */
  readonly received: Message[] = [];
  readonly url: string;
  readonly card: unknown;
  private readonly server: Server;

  private constructor(server: Server, binding: 'JSONRPC' | 'HTTP+JSON', protocolVersion: '1.0' | '0.3') {
    this.server = server;
    const port = (server.address() as AddressInfo).port;
    this.url = `http://127.0.0.1:${port}`;
    const supportedInterfaces = [{ url: this.url, protocolBinding: binding, protocolVersion }];
    this.card = { name: 'Fake', version: '1', supportedInterfaces, capabilities: {}, skills: [{ id: 'handle_lapse' }] };
  }

  static async start(binding: 'JSONRPC' | 'HTTP+JSON' = 'JSONRPC', version: '1.0' | '0.3' = '1.0'): Promise<FakeAgent> {
    const app = express();
    // A test that fails before it stops its agent must not keep the run alive.
    const server = createServer(app).unref();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const agent = new FakeAgent(server, binding, version);
    const executor = new CompletingExecutor(agent.received);
    const requestHandler = new DefaultRequestHandler(AgentCard.fromJSON(agent.card), new InMemoryTaskStore(), executor);
    app.use(express.json({ limit: '4mb', type: () => true }));
    app.use((request, response, next) => agent.meet(request, response, next));
    const legacyCompat = { enabled: version === '0.3' };
    const options = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat };
    app.use(binding === 'JSONRPC' ? jsonRpcHandler(options) : restHandler(options));
    return agent;
  }

  get sends(): readonly SeenRequest[] {
    return this.seen.filter((request) => request.isSend);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private meet(request: Request, response: Response, next: NextFunction): void {
    const body: unknown = request.body;
    const method = (body as { readonly method?: unknown } | undefined)?.method;
    const isSend = request.path.endsWith('message:send') || method === 'SendMessage' || method === 'message/send';
    this.seen.push({ isSend, headers: request.headers, body });
    const fault = (isSend ? this.sendFaults : this.lookUpFaults).shift();
    if (fault === undefined) return next();
    if (fault === 'lost') return void request.socket.destroy();
    if (typeof fault === 'object') return void response.status(fault.status).set(fault.headers).send(fault.body);
    response.end = () => (fault === 'cut' ? (request.socket.destroy(), response) : response);
    next();
  }
}
