// A real A2A agent on the A2A project's SDK, in this process, whose tasks go on as a test says: for who follows tasks.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentCard, Artifact, Message, type Task, TaskState, taskStateFromJSON } from '@a2a-js/sdk';
import { DefaultRequestHandler, InMemoryTaskStore, ServerCallContext } from '@a2a-js/sdk/server';
import { jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express, { type NextFunction, type Request, type Response } from 'express';
import { ScriptedExecutor } from './scripted-executor.ts';

export interface FollowedAgentOptions {
  readonly binding?: 'JSONRPC' | 'HTTP+JSON';
  readonly version?: '1.0' | '0.3';
  readonly streaming?: boolean;
  readonly pushNotifications?: boolean;
}

/** What somebody asked of it. */
export type AskedFor = 'send' | 'read' | 'list' | 'follow' | 'push' | 'other';

const extensionUri = 'https://rsaxb.com/a2a/expectations/v1';

/** The states after which a task is left alone: those that end it, and those that wait for somebody. */
const resting = [
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
  TaskState.TASK_STATE_INPUT_REQUIRED,
  TaskState.TASK_STATE_AUTH_REQUIRED,
];

export class FollowedAgent {
  /** What it was asked for, in order, also while it was away. */
  readonly asked: AskedFor[] = [];
  /** While true it cuts every connection; what it does goes on. */
  isAway = false;
  /** While true it answers nothing. */
  isHung = false;
  /** Of these tasks it answers nothing that anybody could read. */
  readonly unreadable = new Set<string>();
  readonly url: string;
  readonly card: Readonly<Record<string, unknown>>;
  private readonly server: Server;
  private readonly store = new InMemoryTaskStore();
  private readonly executor = new ScriptedExecutor(TaskState.TASK_STATE_WORKING, (state) => resting.includes(state));

  private constructor(server: Server, options: FollowedAgentOptions) {
    const { binding = 'JSONRPC', version = '1.0', streaming = false, pushNotifications = false } = options;
    this.server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const kinds = [{ kind: 'departure', subjectType: 'flight', describes: 'a departure', basis: 'observed' }];
    const params = { keepsTime: false, lapseSkill: 'handle_lapse', kinds };
    this.card = {
      name: 'Followed',
      version: '1',
      supportedInterfaces: [{ url: this.url, protocolBinding: binding, protocolVersion: version }],
      capabilities: { streaming, pushNotifications, extensions: [{ uri: extensionUri, required: false, params }] },
      skills: [{ id: 'handle_lapse', name: 'Handle a lapse', description: 'Answers for a lapse', tags: [] }],
    };
  }

  static async start(options: FollowedAgentOptions = {}): Promise<FollowedAgent> {
    const app = express();
    // A test that fails before it stops its agent must not keep the run alive.
    const server = createServer(app).unref();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const agent = new FollowedAgent(server, options);
    const { store, executor } = agent;
    const requestHandler = new DefaultRequestHandler(AgentCard.fromJSON(agent.card), store, executor);
    app.get('/.well-known/agent-card.json', (_, response) => void response.json(agent.card));
    app.use(express.json({ limit: '4mb', type: () => true }));
    app.use((request, response, next) => agent.meet(request, response, next));
    const legacyCompat = { enabled: options.version === '0.3' };
    const handling = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat };
    app.use(options.binding === 'HTTP+JSON' ? restHandler(handling) : jsonRpcHandler(handling));
    agent.begin = (messageId, message = {}) => agent.sent(requestHandler, messageId, message);
    return agent;
  }

  /** A client sends a message; resolves to the task that it made, which is WORKING. */
  begin!: (messageId: string, message?: Readonly<Record<string, unknown>>) => Promise<string>;

  /** The messages that reached the agent's own code, in order. */
  get received(): ScriptedExecutor['received'] {
    return this.executor.received;
  }

  askedFor(what: AskedFor): number {
    return this.asked.filter((each) => each === what).length;
  }

  /** The task's state changes; `block` is the extension's, in the status's message. */
  status(taskId: string, state: string, block?: object): void {
    const text = { messageId: `of-${taskId}-${state}`, role: 'ROLE_AGENT', parts: [{ text: state }], taskId };
    const message = block && Message.fromJSON({ ...text, metadata: { [extensionUri]: block } });
    this.executor.status(taskId, { state: taskStateFromJSON(state), message, timestamp: new Date().toISOString() });
  }

  /** The task yields an artifact that carries the extension's block. */
  artifact(taskId: string, artifactId: string, block: object): void {
    const artifact = { artifactId, parts: [{ text: artifactId }], metadata: { [extensionUri]: block } };
    this.executor.artifact(taskId, Artifact.fromJSON(artifact));
  }

  /** How the agent itself has it; undefined where it has forgotten it. */
  task(taskId: string): Promise<Task | undefined> {
    return this.store.load(taskId, new ServerCallContext());
  }

  /** Every connection is cut, streams among them. */
  cut(): void {
    this.server.closeAllConnections();
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async sent(handler: DefaultRequestHandler, messageId: string, message: object): Promise<string> {
    const request = { messageId, role: 'ROLE_USER', parts: [{ text: 'Go' }], ...message };
    const params = { message: Message.fromJSON(request), configuration: { returnImmediately: true } };
    const answer = await handler.sendMessage(params as never, new ServerCallContext());
    if (!('status' in answer)) throw new Error('the agent answered with a message');
    return answer.id;
  }

  private meet(request: Request, response: Response, next: NextFunction): void {
    this.asked.push(askedFor(request));
    if (this.isAway) return void request.socket.destroy();
    const asked = `${request.path} ${JSON.stringify(request.body)}`;
    if ([...this.unreadable].some((taskId) => asked.includes(taskId))) return void response.send('<html>');
    if (!this.isHung) next();
  }
}

const byMethod: readonly (readonly [AskedFor, RegExp])[] = [
  ['send', /^(SendMessage|message\/send)$/],
  ['read', /^(GetTask|tasks\/get)$/],
  ['list', /^ListTasks$/],
  ['follow', /^(SubscribeToTask|tasks\/resubscribe)$/],
  ['push', /^(CreateTaskPushNotificationConfig|tasks\/pushNotificationConfig\/set)$/],
];

const byPath: readonly (readonly [AskedFor, RegExp])[] = [
  ['send', /^POST .*message:send$/],
  ['follow', /:subscribe$/],
  ['push', /^POST .*\/pushNotificationConfigs$/],
  ['list', /^GET .*\/tasks$/],
  ['read', /^GET .*\/tasks\/[^/:]+$/],
];

function askedFor(request: IncomingMessage & { readonly body?: unknown; readonly path: string }): AskedFor {
  const method = (request.body as { readonly method?: unknown } | undefined)?.method;
  const [table, text] =
    typeof method === 'string'
      ? ([byMethod, method] as const)
      : ([byPath, `${request.method} ${request.path}`] as const);
  return table.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other';
}
