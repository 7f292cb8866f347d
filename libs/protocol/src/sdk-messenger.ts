// The messenger on the A2A project's own SDK: JSON-RPC and HTTP+JSON, wire 1.0 and 0.3 by what the card offers.
// It must never wait longer than its timeout, nor follow an agent elsewhere.
import { GetTaskRequest, ListTasksRequest, type Message, SendMessageRequest, type Task } from '@a2a-js/sdk';
import type { Client, RequestOptions } from '@a2a-js/sdk/client';
import type { Outbound } from '#outbound';
import { AgentCalls } from './agent-calls.ts';
import { activated, connect } from './connect.ts';
import { Exchange } from './exchange.ts';
import type { LapseRequest } from './lapse-message.ts';
import { isUsableId } from './limits.ts';
import type { AgentMessenger, AgentTarget, FindOutcome, SendOutcome } from './messenger.ts';
import { isSubmittedBy } from './own-task.ts';
import { withReferences } from './references.ts';
import type { RefusalsRequest } from './refusals-message.ts';
import { failedOutcome } from './send-error-map.ts';
import { withinTime } from './within-time.ts';

export interface SdkMessengerOptions {
  /** Through which agents, and those who give tokens for them, are called. */
  readonly outbound: Outbound;
  /** Of one request and its answer. Agents are asked to return at once; a lapse takes as long as it takes. */
  readonly timeoutMs?: number;
  /** Epoch milliseconds, for a `Retry-After` that is a date, and for how long a token lasts. */
  readonly now: () => number;
}

const defaultTimeoutMs = 10_000;
const pageSize = 100;
const pagesCount = 20;
const lookUpsCount = 50;
const noInterface = 'the card offers no JSONRPC or HTTP+JSON interface over http(s)';

export class SdkMessenger implements AgentMessenger {
  private readonly calls: AgentCalls;
  readonly timeoutMs: number;
  private readonly now: () => number;

  constructor(options: SdkMessengerOptions) {
    this.calls = new AgentCalls(options);
    this.timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
    this.now = options.now;
  }

  async send(target: AgentTarget, request: LapseRequest | RefusalsRequest, signal: AbortSignal): Promise<SendOutcome> {
    const exchange = new Exchange(this.calls, target);
    const client = await connect(target, exchange);
    if (client === undefined) return { outcome: 'refused', cause: noInterface, permanent: true };
    try {
      const sent = SendMessageRequest.fromJSON(withReferences(client, request));
      const send = (options: RequestOptions): Promise<Message | Task> => client.sendMessage(sent, options);
      const answer = await this.ask(signal, send, request.message.extensions);
      if ('messageId' in answer) return { outcome: 'acknowledged' };
      return { outcome: 'acknowledged', ...(isUsableId(answer.id) && { taskId: answer.id }) };
    } catch (error) {
      return failedOutcome(error, exchange, this.now());
    }
  }

  async find(target: AgentTarget, request: LapseRequest, signal: AbortSignal): Promise<FindOutcome> {
    const exchange = new Exchange(this.calls, target);
    const client = await connect(target, exchange);
    if (client === undefined) return { outcome: 'cannotTell', cause: noInterface, temporary: false };
    try {
      return await this.search(client, request, signal);
    } catch (error) {
      // A refusal, or (0.3, which has no ListTasks) a call that was never put on the wire, is the agent's last word.
      const failed = failedOutcome(error, exchange, this.now());
      const temporary = failed.outcome !== 'refused';
      const wait = 'retryAfterMs' in failed ? { retryAfterMs: failed.retryAfterMs } : {};
      const answered = exchange.stage === 'answered' ? ({ answered: true } as const) : {};
      return { outcome: 'cannotTell', cause: failed.cause, temporary, ...answered, ...wait };
    }
  }

  private async search(client: Client, request: LapseRequest, signal: AbortSignal): Promise<FindOutcome> {
    const { contextId } = request.message;
    let pageToken = '';
    let lookUpsLeft = lookUpsCount;
    let unseen: string | undefined;
    for (let page = 0; page < pagesCount; page += 1) {
      const query = ListTasksRequest.fromJSON({ contextId, pageSize, pageToken });
      const listed = await this.ask(signal, (options) => client.listTasks(query, options));
      for (const task of listed.tasks) {
        if (isSubmittedBy(task, request)) return foundAs(task.id);
        if (task.history.length > 0 || request.message.referenceTaskIds.includes(task.id)) continue;
        if (!isUsableId(task.id)) {
          unseen = task.id;
          continue;
        }
        lookUpsLeft -= 1;
        const seen = lookUpsLeft < 0 ? task : await this.lookUp(client, task.id, signal);
        if (isSubmittedBy(seen, request)) return foundAs(task.id);
        if (seen.history.length === 0) unseen = task.id;
      }
      if (listed.nextPageToken === '') return absentUnless(unseen);
      pageToken = listed.nextPageToken;
    }
    return { outcome: 'cannotTell', cause: 'the context has too many tasks', temporary: false };
  }

  private lookUp(client: Client, taskId: string, signal: AbortSignal): Promise<Task> {
    return this.ask(signal, (options) => client.getTask(GetTaskRequest.fromJSON({ id: taskId }), options));
  }

  private ask<T>(
    signal: AbortSignal,
    call: (options: RequestOptions) => Promise<T>,
    extensions?: readonly string[],
  ): Promise<T> {
    const serviceParameters = activated(extensions);
    return withinTime(this.timeoutMs, signal, (ended) => call({ signal: ended, serviceParameters }));
  }
}

/** The id goes into the log and from there into every store: one that they do not keep names no task. */
function foundAs(taskId: string): FindOutcome {
  if (isUsableId(taskId)) return { outcome: 'found', taskId };
  return { outcome: 'cannotTell', cause: 'the agent has the task under an id that is none', temporary: false };
}

function absentUnless(unseen: string | undefined): FindOutcome {
  if (unseen === undefined) return { outcome: 'absent' };
  const named = isUsableId(unseen) ? `task ${unseen}` : 'a task whose id is none';
  return { outcome: 'cannotTell', cause: `the agent does not show the history of ${named}`, temporary: false };
}
