// A real A2A agent on the A2A project's SDK, in this process, that can be told to misbehave.
// Unless told to, it deduplicates nothing, as no official server does: what is sent twice becomes two tasks.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AGENT_CARD_PATH, AgentCard, type Message } from '@a2a-js/sdk';
import { defaultServerCallContextBuilder, type ServerCallContextBuilder } from '@a2a-js/sdk/server';
import { jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express, { type NextFunction, type Request, type Response } from 'express';
import { systemClock } from '#runtime';
import { cardOf, type FakeBinding, type FakeVersion, legacyCardOf, uri } from './fake-card.ts';
import { CompletingExecutor } from './completing-executor.ts';
import { type KeptTask, KeptStore } from './kept-store.ts';
import { type AgentFault, type Misbehaviour, nextFault } from './misbehaviour.ts';
import { StrangeHandler } from './strange-handler.ts';

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
  private readonly store = new KeptStore();

  private constructor(
    private readonly server: Server,
    binding: FakeBinding,
    version: FakeVersion,
    /** What it does wrong from here on; may be changed. */
    readonly misbehaviour: Misbehaviour,
  ) {
    const { port } = server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}`;
    this.card = cardOf(this.url, binding, version);
  }

  /** Listens on 127.0.0.1; on a free port where it is 0. Throws where it cannot. */
  static async start(
    binding: FakeBinding = 'JSONRPC',
    version: FakeVersion = '1.0',
    misbehaviour: Misbehaviour = {},
    port = 0,
  ): Promise<FakeAgent> {
    const app = express().disable('x-powered-by');
    // A test that fails before it stops its agent must not keep the run alive.
    const server = createServer(app).unref();
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
    const agent = new FakeAgent(server, binding, version, misbehaviour);
    const executor = new CompletingExecutor(agent.received);
    const requestHandler = new StrangeHandler(AgentCard.fromJSON(agent.card), agent.store, executor, misbehaviour);
    const shown = version === '0.3' ? legacyCardOf(agent.card, agent.url, binding) : agent.card;
    app.get(`/${AGENT_CARD_PATH}`, (_, response) => void response.json(shown));
    app.get('/store', (_, response) => void response.json(agent.kept));
    app.use(express.json({ limit: '4mb', type: () => true }));
    app.use((request, response, next) => agent.meet(request, response, next));
    const legacyCompat = { enabled: version === '0.3' };
    const contextBuilder = echoing(misbehaviour);
    const options = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat, contextBuilder };
    app.use(binding === 'JSONRPC' ? jsonRpcHandler(options) : restHandler(options));
    return agent;
  }

  get sends(): readonly SeenRequest[] {
    return this.seen.filter((request) => request.isSend);
  }

  /** What exists at the agent by now, and how many messages it has acted on. */
  get kept(): { readonly tasks: readonly KeptTask[]; readonly receivedCount: number } {
    return { tasks: this.store.tasks, receivedCount: this.received.length };
  }

  /** The process lives as long as it listens. */
  keepAlive(): void {
    this.server.ref();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async meet(request: Request, response: Response, next: NextFunction): Promise<void> {
    const body: unknown = request.body;
    const method = (body as { readonly method?: unknown } | undefined)?.method;
    const isSend = request.path.endsWith('message:send') || method === 'SendMessage' || method === 'message/send';
    this.seen.push({ isSend, headers: request.headers, body });
    const fault = (isSend ? this.sendFaults : this.lookUpFaults).shift() ?? nextFault(this.misbehaviour, isSend);
    const { slowMs } = this.misbehaviour;
    if (slowMs !== undefined) await systemClock.sleep(slowMs);
    if (fault === 'lost') return void request.socket.destroy();
    if (typeof fault === 'object' && 'status' in fault) {
      return void response.status(fault.status).set(fault.headers).send(fault.body);
    }
    if (fault !== undefined) spoil(response, fault);
    next();
  }
}

/** The answer that is made after all does not leave as it is. */
function spoil(response: Response, fault: 'cut' | 'hung' | 'garbage' | { readonly padBytes: number }): void {
  const end = response.end.bind(response);
  const spoiled = (content: unknown): Response => {
    if (fault === 'hung') return response;
    if (fault === 'cut') return (response.socket?.destroy(), response);
    response.end = end;
    response.removeHeader('content-length');
    if (fault === 'garbage') return end('<html>it works!</html>');
    // Blank space is nothing to whoever reads JSON.
    for (let left = fault.padBytes; left > 0; left -= padding.length) response.write(padding.subarray(0, left));
    return end(content);
  };
  response.end = spoiled as Response['end'];
}

const padding = Buffer.alloc(65_536, ' ');

// Activated before the request is handled: the SDK sends a stream's headers before its executor could.
function echoing(misbehaviour: Misbehaviour): ServerCallContextBuilder {
  return (options) => {
    const context = defaultServerCallContextBuilder(options);
    if (misbehaviour.noEcho !== true && options.extensions?.includes(uri) === true) context.addActivatedExtension(uri);
    return context;
  };
}
