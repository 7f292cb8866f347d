// An A2A agent on the project's own SDK that does what it is told, over both bindings and both protocol versions. What
// comes in is remembered as it came.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentCard } from '@a2a-js/sdk';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express, { type Request, type Response } from 'express';
import { exampleCard } from '../edges/card-server.ts';
import { Gates, ScriptExecutor } from './script-executor.ts';

export interface ScriptedAgentOptions {
  readonly binding?: 'JSONRPC' | 'HTTP+JSON';
  readonly version?: '1.0' | '0.3';
}

/** A request as it came. */
export interface ScriptedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Answers instead of the agent. */
export type ScriptedAnswer = (request: Request, response: Response) => void;

export class ScriptedAgent {
  readonly gates = new Gates();
  readonly requests: ScriptedRequest[] = [];
  /** Each is used for one request, the first first; cards are asked for besides. */
  readonly answers: ScriptedAnswer[] = [];
  /** As it is served; may be changed. */
  card: Record<string, unknown>;
  readonly url: string;

  private constructor(
    private readonly server: Server,
    { binding = 'JSONRPC', version = '1.0' }: ScriptedAgentOptions,
  ) {
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const url = `${this.url}/${binding === 'JSONRPC' ? 'rpc' : 'rest'}`;
    const kinds = [
      { kind: 'shipment.departure', subjectType: 'shipment', describes: 'a departure', basis: 'observed' },
      { kind: 'question.answer', subjectType: 'task', describes: 'an answer', basis: 'declared' },
    ];
    const { capabilities, ...rest } = exampleCard({ kinds }) as { readonly capabilities: object };
    const { supportedInterfaces: _, ...common } = rest as Record<string, unknown>;
    const places =
      version === '1.0'
        ? { supportedInterfaces: [{ url, protocolBinding: binding, protocolVersion: '1.0' }] }
        : { url, preferredTransport: binding, protocolVersion: '0.3.0' };
    const modes = { defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] };
    const told = { ...common, description: 'Does what it is told', version: '1', ...modes };
    this.card = { ...told, capabilities: { ...capabilities, streaming: true }, ...places, 'x-unknown': { kept: [1] } };
  }

  static async start(options: ScriptedAgentOptions = {}): Promise<ScriptedAgent> {
    const app = express();
    // A test that fails before it stops its agent must not keep the run alive.
    const server = createServer(app).unref();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const agent = new ScriptedAgent(server, options);
    const supportedInterfaces = (['JSONRPC', 'HTTP+JSON'] as const).flatMap((protocolBinding) =>
      ['1.0', '0.3'].map((protocolVersion) => ({ url: agent.url, protocolBinding, protocolVersion })),
    );
    const { url: _, ...known } = agent.card;
    const card = AgentCard.fromJSON({ ...known, supportedInterfaces });
    const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), new ScriptExecutor(agent.gates));
    const handler = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat: { enabled: true } };
    app.get('/.well-known/agent-card.json', (_request, response) => void response.json(agent.card));
    app.use(express.json({ limit: '20mb', type: () => true, strict: false, verify: remember }));
    app.use((request, response, next) => agent.meet(request, response, next));
    app.use('/rpc', jsonRpcHandler(handler));
    app.use('/rest', restHandler(handler));
    return agent;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private meet(request: Request, response: Response, next: () => void): void {
    const { method, originalUrl: url, headers } = request;
    this.requests.push({ method, url, headers, body: bodies.get(request)?.toString() ?? '' });
    const answer = this.answers.shift();
    if (answer === undefined) next();
    else answer(request, response);
  }
}

const bodies = new WeakMap<IncomingMessage, Buffer>();

function remember(request: IncomingMessage, _: ServerResponse, bytes: Buffer): void {
  bodies.set(request, bytes);
}
