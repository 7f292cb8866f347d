// An agent that answers at once: what is measured is the way to it. What it answers is what the message asks for.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const EXTENSION = 'https://rsaxb.com/a2a/expectations/v1';

/** `message`: nothing for the watcher. `task`: a state of a task, without a block. `block`: an expectation, too. */
export const answerKinds = ['message', 'task', 'block'] as const;

export type AnswerKind = (typeof answerKinds)[number];

export class AnsweringAgent {
  private count = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<AnsweringAgent> {
    const server = createServer();
    const agent = new AnsweringAgent(server);
    server.on('request', (request: IncomingMessage, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
        const body = Buffer.concat(chunks).toString();
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(request.method === 'GET' ? agent.card() : agent.answer(body)));
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return agent;
  }

  /** Without a slash at its end. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** A JSON-RPC request that is answered so. */
  request(kind: AnswerKind): Buffer {
    this.count += 1;
    const message = { messageId: `m-${this.count}`, role: 'ROLE_USER', parts: [{ text: kind }] };
    return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: this.count, method: 'SendMessage', params: { message } }));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private card(): unknown {
    const kinds = [
      { kind: 'shipment.departure', subjectType: 'shipment', describes: 'a departure', basis: 'observed' },
    ];
    return {
      name: 'Answering',
      supportedInterfaces: [{ url: `${this.url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: { extensions: [{ uri: EXTENSION, params: { keepsTime: true, lapseSkill: 'answer', kinds } }] },
      skills: [{ id: 'answer', name: 'Answer', description: 'Answers', tags: [] }],
    };
  }

  private answer(body: string): unknown {
    const { id, params } = JSON.parse(body) as {
      readonly id: number;
      readonly params: { readonly message: { readonly parts: readonly [{ readonly text: AnswerKind }] } };
    };
    const kind = params.message.parts[0].text;
    const ids = { contextId: `c-${id}` };
    const message = { messageId: `a-${id}`, role: 'ROLE_AGENT', parts: [{ text: 'It is done.' }] };
    if (kind === 'message') return { jsonrpc: '2.0', id, result: { message: { ...message, ...ids } } };
    const status = { state: 'TASK_STATE_COMPLETED', timestamp: new Date().toISOString() };
    const artifact = { artifactId: `r-${id}`, parts: [{ text: 'Booked on EK203' }] };
    const carrying = { ...artifact, metadata: { [EXTENSION]: { expectations: [expectation(id)] } } };
    const artifacts = [kind === 'block' ? carrying : artifact];
    return { jsonrpc: '2.0', id, result: { task: { id: `t-${id}`, ...ids, status, artifacts } } };
  }
}

function expectation(id: number): unknown {
  return {
    expectationId: `exp-01J8Q0DEPARTURE-${id}`,
    kind: 'shipment.departure',
    subject: { type: 'shipment', id: `PA-2026-${id}` },
    expects: `the departure of PA-2026-${id} from Dubai`,
    satisfiedBy: { factKey: `shipment.departed:PA-2026-${id}` },
    dueAt: new Date(Date.now() + 240 * 3_600_000).toISOString(),
    basis: 'observed',
  };
}
