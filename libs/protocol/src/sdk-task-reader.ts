// The task reader on the A2A project's own SDK: JSON-RPC and HTTP+JSON, wire 1.0 and 0.3 by what the card offers.
// It must never wait longer than its timeout for an answer, nor follow an agent elsewhere.
import {
  GetTaskRequest,
  ListTasksRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import type { Client, RequestOptions } from '@a2a-js/sdk/client';
import type { Outbound } from '#outbound';
import { AgentCalls } from './agent-calls.ts';
import { activated, connect } from './connect.ts';
import { Exchange } from './exchange.ts';
import type { AgentTarget } from './messenger.ts';
import { isObject, type JsonObject } from './shape.ts';
import { readStreamPart, type StreamPart } from './stream-part.ts';
import { taskReadError } from './task-read-error-map.ts';
import { type PushAddress, type SeenTask, type SeenTasks, TaskReadError, type TaskReader } from './task-reader.ts';
import { withinTime } from './within-time.ts';

export interface SdkTaskReaderOptions {
  /** Through which agents are called. */
  readonly outbound: Outbound;
  /** Of one request and its answer; of a stream until it begins. 10 s unless given. */
  readonly timeoutMs?: number;
  /** Epoch milliseconds, for a `Retry-After` that is a date. */
  readonly now: () => number;
}

const pageSize = 100;
/** What an agent may have many configurations for; ours is one, and a later one of ours takes its place. */
const pushConfigId = 'duewatch';
/** What stands where an agent says no state, or one that the SDK does not know. */
const noStates: readonly unknown[] = ['TASK_STATE_UNSPECIFIED', 'UNRECOGNIZED'];

export class SdkTaskReader implements TaskReader {
  private readonly calls: AgentCalls;
  private readonly timeoutMs: number;
  private readonly now: () => number;

  constructor({ outbound, timeoutMs = 10_000, now }: SdkTaskReaderOptions) {
    this.calls = new AgentCalls({ outbound, now });
    this.timeoutMs = timeoutMs;
    this.now = now;
  }

  async read(target: AgentTarget, taskId: string, signal: AbortSignal): Promise<SeenTask> {
    const query = GetTaskRequest.fromJSON({ id: taskId, historyLength: 0 });
    const task = await this.ask(target, true, signal, (client, options) => client.getTask(query, options));
    if (task.id !== taskId) throw new TaskReadError('away', 'the agent answered with another task');
    return seenTask(task);
  }

  async list(
    target: AgentTarget,
    { afterMs, pageToken }: { readonly afterMs: number; readonly pageToken: string },
    signal: AbortSignal,
  ): Promise<SeenTasks> {
    const statusTimestampAfter = new Date(afterMs).toISOString();
    const page = { pageSize, pageToken, historyLength: 0, includeArtifacts: true };
    const query = ListTasksRequest.fromJSON({ statusTimestampAfter, ...page });
    const listed = await this.ask(target, false, signal, (client, options) => client.listTasks(query, options));
    return { tasks: listed.tasks.map(seenTask), nextPageToken: listed.nextPageToken };
  }

  async *follow(target: AgentTarget, taskId: string, signal: AbortSignal): AsyncIterable<StreamPart> {
    const exchange = new Exchange(this.calls, target, true);
    const ended = new AbortController();
    const end = (): void => ended.abort(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
    try {
      const client = await connected(target, exchange);
      const query = SubscribeToTaskRequest.fromJSON({ id: taskId });
      const parts = client.resubscribeTask(query, optionsOf(ended.signal))[Symbol.asyncIterator]();
      let next = await withinTime(this.timeoutMs, ended.signal, (limit) => orAborted(limit, parts.next(), ended));
      while (next.done !== true) {
        const part = readStreamPart(withoutNoState(StreamResponse.toJSON(next.value)));
        if (part !== undefined) yield part;
        next = await parts.next();
      }
    } catch (error) {
      throw taskReadError(error, exchange, { asksForTask: true, nowMs: this.now() });
    } finally {
      signal.removeEventListener('abort', end);
      ended.abort();
    }
  }

  async askToPush(target: AgentTarget, { taskId, url, token }: PushAddress, signal: AbortSignal): Promise<void> {
    const config = TaskPushNotificationConfig.fromJSON({ id: pushConfigId, taskId, url, token });
    await this.ask(target, true, signal, (client, options) => client.createTaskPushNotificationConfig(config, options));
  }

  private async ask<T>(
    target: AgentTarget,
    asksForTask: boolean,
    signal: AbortSignal,
    call: (client: Client, options: RequestOptions) => Promise<T>,
  ): Promise<T> {
    const exchange = new Exchange(this.calls, target);
    try {
      const client = await connected(target, exchange);
      return await withinTime(this.timeoutMs, signal, (ended) => call(client, optionsOf(ended)));
    } catch (error) {
      throw taskReadError(error, exchange, { asksForTask, nowMs: this.now() });
    }
  }
}

function optionsOf(signal: AbortSignal): RequestOptions {
  return { signal, serviceParameters: activated() };
}

/** What the first of a stream's events is; a wait for it that is over ends the stream. */
async function orAborted<T>(limit: AbortSignal, next: Promise<T>, stream: AbortController): Promise<T> {
  const end = (): void => stream.abort(limit.reason);
  limit.addEventListener('abort', end);
  try {
    return await next;
  } finally {
    limit.removeEventListener('abort', end);
  }
}

async function connected(target: AgentTarget, exchange: Exchange): Promise<Client> {
  const client = await connect(target, exchange);
  if (client !== undefined) return client;
  throw new TaskReadError('refused', 'the card offers no JSONRPC or HTTP+JSON interface over http(s)');
}

function seenTask(task: Task): SeenTask {
  const statusAtMs = Date.parse(task.status?.timestamp ?? '');
  const shown = withoutNoState({ task: Task.toJSON(task) }) as { readonly task: unknown };
  return { taskId: task.id, task: shown.task, ...(Number.isFinite(statusAtMs) && { statusAtMs }) };
}

/** An agent that says no state has not said that the task is in none: that must answer no question. */
function withoutNoState(part: unknown): unknown {
  if (!isObject(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, isObject(value) ? stated(value) : value]),
  );
}

function stated(work: JsonObject): JsonObject {
  const { status } = work;
  if (!isObject(status) || !noStates.includes(status['state'])) return work;
  return { ...work, status: { ...status, state: null } };
}
