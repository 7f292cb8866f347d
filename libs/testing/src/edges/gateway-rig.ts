// A scripted agent behind a gateway, called by JSON-RPC as a client of A2A 1.0, on a log that can be held or away.
import type { Type } from '@nestjs/common';
import { type EventLog, LogUnavailableError, partitionOf } from '#event-log';
import { ScriptedAgent } from '../scripted-agent/scripted-agent.ts';
import { type EdgeApp, startEdgeApp } from './edge-app.ts';
import { behindGateway, toldOf } from './watched.ts';

type Json = Record<string, unknown>;

export interface RpcAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly result: Json | undefined;
  readonly error: Json | undefined;
}

export class GatewayRig {
  private readonly append: EventLog['append'];
  private readonly bounds: EventLog['bounds'];
  private count = 0;

  private constructor(
    readonly edge: EdgeApp,
    readonly agent: ScriptedAgent,
    readonly base: string,
  ) {
    this.append = edge.log.append.bind(edge.log);
    this.bounds = edge.log.bounds.bind(edge.log);
  }

  /** The agent is `booking` of `acme`. */
  static async start(modules: readonly Type<unknown>[]): Promise<GatewayRig> {
    const [edge, agent] = await Promise.all([startEdgeApp(modules), ScriptedAgent.start()]);
    return new GatewayRig(edge, agent, await behindGateway(edge, agent, 'booking'));
  }

  /** The id of the message sent last. */
  get messageId(): string {
    return `m${this.count}`;
  }

  /** The id of the request sent last. */
  get requestId(): string {
    return `r${this.count}`;
  }

  envelope(method: string, text: string, over: Json = {}): string {
    this.count += 1;
    const message = { messageId: this.messageId, role: 'ROLE_USER', parts: [{ text }], ...over };
    return JSON.stringify({ jsonrpc: '2.0', id: this.requestId, method, params: { message } });
  }

  post(body: string, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
    const all = { 'content-type': 'application/json', 'A2A-Version': '1.0', ...headers };
    return fetch(`${this.base}jsonrpc/1.0`, { method: 'POST', body, headers: all, ...(signal && { signal }) });
  }

  async call(body: string, headers: Record<string, string> = {}): Promise<RpcAnswer> {
    const response = await this.post(body, headers);
    const text = await response.text();
    const { result, error } = JSON.parse(text) as { readonly result?: Json; readonly error?: Json };
    return { status: response.status, headers: response.headers, text, result, error };
  }

  send(text: string, over: Json = {}, headers: Record<string, string> = {}): Promise<RpcAnswer> {
    return this.call(this.envelope('SendMessage', text, over), headers);
  }

  /** Sends, and resolves to the task's ids. */
  async taskOf(text: string): Promise<{ readonly id: string; readonly contextId: string }> {
    const { result } = await this.send(text);
    return result?.['task'] as { readonly id: string; readonly contextId: string };
  }

  getTask(id: string): Promise<RpcAnswer> {
    return this.call(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id } }));
  }

  /** Past the gateway, with the extension activated. */
  async sendDirectly(text: string, over: Json = {}): Promise<string> {
    const headers = {
      ...{ 'content-type': 'application/json', 'A2A-Version': '1.0' },
      'A2A-Extensions': 'https://rsaxb.com/a2a/expectations/v1',
    };
    const body = this.envelope('SendMessage', text, over);
    const answer = await fetch(`${this.agent.url}/rpc`, { method: 'POST', body, headers });
    const { result } = (await answer.json()) as { readonly result: { readonly task: { readonly id: string } } };
    return result.task.id;
  }

  told(): Promise<readonly Json[]> {
    return toldOf(this.edge, 'booking');
  }

  /** Whether the tenant's inbox has the text anywhere. */
  async isTold(text: string): Promise<boolean> {
    const partition = partitionOf('acme', this.edge.log.partitionCount);
    const records = await this.edge.log.read('inbox', partition, { from: 0, limit: 10_000 });
    return records.some(({ value }) => Buffer.from(value).includes(text));
  }

  /** The note of the send with that message; undefined where there is none. */
  async noteOf(messageId: string): Promise<Json | undefined> {
    const rows: Json[] = await this.edge.database.query(
      'SELECT * FROM duewatch_edge.forwarded_send WHERE message_id = $1',
      [messageId],
    );
    return rows[0];
  }

  /** Appends of what holds the text wait until the function given back is called. */
  hold(text: string): () => void {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    this.edge.log.append = async (partition, records) => {
      if (records.some(({ value }) => Buffer.from(value).includes(text))) await released;
      return this.append(partition, records);
    };
    return release;
  }

  /** Appends of what holds the text fail, all where there is none; with `reads`, the log cannot be read either. */
  takeLogAway(text = '', { reads = false } = {}): void {
    const gone = async (): Promise<never> => Promise.reject(new LogUnavailableError('the log is away'));
    this.edge.log.append = (partition, records) =>
      records.some(({ value }) => Buffer.from(value).includes(text)) ? gone() : this.append(partition, records);
    if (reads) this.edge.log.bounds = gone;
  }

  /** The log, and the agent, are as they were. */
  restore(): void {
    Object.assign(this.edge.log, { append: this.append, bounds: this.bounds });
    this.agent.answers.length = 0;
  }

  async close(): Promise<void> {
    await Promise.all([this.edge.close(), this.agent.stop()]);
  }
}
