// Another agent, called when it is needed: its card is read at the first call, and again after a failure to reach it.
// It must never send a credential but to the origins it is meant for, nor follow an agent elsewhere.
import { CancelTaskRequest, GetTaskRequest, SendMessageRequest, type StreamResponse } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  type RequestOptions,
  RestTransportFactory,
  ServiceParameters,
  withA2AExtensions,
} from '@a2a-js/sdk/client';
import { isTerminal } from '#expectations';
import { EXTENSION_URI, isList, isObject, withinTime } from '#protocol/pure';
import { randomId } from './chance.ts';
import { bounded } from './bounded.ts';
import { type RemoteAnswer, remoteAnswerOf } from './remote-answer.ts';

export interface RemoteAgentOptions {
  /** Sent to the origin of the agent's URL and to `origins`, alone: `{ authorization: 'Bearer …' }`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly origins?: readonly string[];
  /**
   * Whether to activate the extension (§7): whoever does watches what the agent then expects, or has it watched. Not
   * needed where the agent is called through a watcher's gateway. False unless given.
   */
  readonly watched?: boolean;
  /** Of one call and its answer; 60 s unless given. */
  readonly timeoutMs?: number;
  /** Of one answer, or card; 10 MB unless given. A stream may go on. */
  readonly answerBytes?: number;
  /** For who must look at the addresses that are called. */
  readonly fetch?: typeof fetch;
}

export interface SendOptions {
  readonly contextId?: string;
  /** A task that waits for this answer. */
  readonly taskId?: string;
  readonly referenceTaskIds?: readonly string[];
  /** One's own, so that the agent can know a message that comes twice; a new one unless given. */
  readonly messageId?: string;
  readonly signal?: AbortSignal;
}

export interface DelegateOptions extends SendOptions {
  /** Told of what comes, as it comes; awaited. */
  readonly onUpdate?: (update: StreamResponse) => void | Promise<void>;
}

/** The agent could not be called, or did not answer as one. */
export class RemoteAgentError extends Error {
  override readonly name = 'RemoteAgentError';
  /** It was not reached: the message is not with it, and may be sent again. */
  readonly retryable: boolean;

  constructor(url: string, cause: unknown) {
    super(`the agent at ${url}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.retryable = isUnreached(cause);
  }
}

/** What is said: words, or parts in A2A's JSON. */
export type Said = string | readonly object[];

const defaultTimeoutMs = 60_000;
const defaultAnswerBytes = 10_000_000;

export class RemoteAgent {
  private connecting: Promise<Client> | undefined;
  private readonly origins: ReadonlySet<string>;

  /** `url` is where the agent's card is found; nothing is called yet. Throws a TypeError where it is no URL. */
  constructor(
    readonly url: string,
    private readonly options: RemoteAgentOptions = {},
  ) {
    this.origins = new Set([url, ...(options.origins ?? [])].map((known) => new URL(known).origin));
  }

  /** Sends a message and waits for what it comes to. Rejects with a `RemoteAgentError`. */
  send(said: Said, options: SendOptions = {}): Promise<RemoteAnswer> {
    const request = requestOf(said, options);
    return this.call(options.signal, async (client, at) => remoteAnswerOf(await client.sendMessage(request, at)));
  }

  /** Likewise, event by event, as the SDK has them; without a limit of time but the signal. Throws a `RemoteAgentError`. */
  async *stream(said: Said, options: SendOptions = {}): AsyncGenerator<StreamResponse, void, undefined> {
    const at = { ...this.parameters(), ...(options.signal && { signal: options.signal }) };
    try {
      yield* (await this.connected()).sendMessageStream(requestOf(said, options), at);
    } catch (error) {
      throw new RemoteAgentError(this.url, error);
    }
  }

  /**
   * Sends a message and follows it until it rests. Where the signal aborts, its task is canceled too, if the agent streams:
   * of one that does not, the task is not known until it rests. Rejects with a `RemoteAgentError`.
   */
  async delegate(said: Said, { onUpdate, ...options }: DelegateOptions = {}): Promise<RemoteAnswer> {
    let taskId: string | undefined;
    try {
      for await (const update of this.stream(said, options)) {
        const { payload } = update;
        if (payload?.$case === 'message') return remoteAnswerOf(payload.value);
        taskId ??= payload?.$case === 'task' ? payload.value.id : payload?.value.taskId;
        await onUpdate?.(update);
      }
      options.signal?.throwIfAborted();
      if (taskId === undefined) throw new Error('it answered with neither a message nor a task');
      return await this.task(taskId, options.signal);
    } catch (error) {
      if (taskId !== undefined && options.signal?.aborted === true) await this.letGo(taskId, error);
      throw error instanceof RemoteAgentError ? error : new RemoteAgentError(this.url, error);
    }
  }

  /** Throws where the agent does not cancel it, unless it is over. */
  private async letGo(taskId: string, why: unknown): Promise<void> {
    await this.cancel(taskId).catch(async (error: unknown) => {
      const { state } = await this.task(taskId);
      if (!isTerminal(state))
        throw new RemoteAgentError(this.url, new AggregateError([why, error], `task ${taskId} goes on`));
    });
  }

  /** What has become of a task. Rejects with a `RemoteAgentError`. */
  task(taskId: string, signal?: AbortSignal): Promise<RemoteAnswer> {
    return this.call(signal, async (client, at) =>
      remoteAnswerOf(await client.getTask(GetTaskRequest.fromJSON({ id: taskId }), at)),
    );
  }

  /** Asks that it be canceled. Rejects with a `RemoteAgentError`, also where it cannot be. */
  cancel(taskId: string, signal?: AbortSignal): Promise<RemoteAnswer> {
    const request = CancelTaskRequest.fromJSON({ id: taskId });
    return this.call(signal, async (client, at) => remoteAnswerOf(await client.cancelTask(request, at)));
  }

  private async call<Result>(
    signal: AbortSignal | undefined,
    ask: (client: Client, options: RequestOptions) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await withinTime(this.options.timeoutMs ?? defaultTimeoutMs, signal, async (ended) =>
        ask(await this.connected(), { ...this.parameters(), signal: ended }),
      );
    } catch (error) {
      throw new RemoteAgentError(this.url, error);
    }
  }

  private parameters(): RequestOptions {
    return this.options.watched === true
      ? { serviceParameters: ServiceParameters.create(withA2AExtensions(EXTENSION_URI)) }
      : {};
  }

  /** One connection for all calls; what failed is tried anew by the next. */
  private connected(): Promise<Client> {
    this.connecting ??= this.connect().catch((error: unknown) => {
      this.connecting = undefined;
      throw error;
    });
    return this.connecting;
  }

  private connect(): Promise<Client> {
    return withinTime(this.options.timeoutMs ?? defaultTimeoutMs, undefined, (signal) => {
      const options = { fetchImpl: this.fetch, legacyCompat: { enabled: true } };
      const transports = [new JsonRpcTransportFactory(options), new RestTransportFactory(options)];
      const cardResolver = new DefaultAgentCardResolver({
        ...options,
        fetchImpl: (input, init) => this.fetch(input, { ...init, signal }),
      });
      const all = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { transports, cardResolver });
      return new ClientFactory(all).createFromUrl(this.url);
    });
  }

  private readonly fetch: typeof fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const headers = new Headers(init?.headers);
    if (this.origins.has(new URL(url).origin)) {
      for (const [name, value] of Object.entries(this.options.headers ?? {})) headers.set(name, value);
    }
    const response = await (this.options.fetch ?? fetch)(url, { ...init, headers, redirect: 'error' });
    return bounded(response, this.options.answerBytes ?? defaultAnswerBytes);
  };
}

function requestOf(said: Said, { contextId, taskId, referenceTaskIds, messageId }: SendOptions): SendMessageRequest {
  const parts = typeof said === 'string' ? [{ text: said }] : said;
  const of = { contextId, taskId, referenceTaskIds };
  const message = { messageId: messageId ?? randomId(), role: 'ROLE_USER', parts, ...of };
  return SendMessageRequest.fromJSON({ message });
}

const unreachedCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether some cause says that no connection was made. */
function isUnreached(error: unknown, depth = 0): boolean {
  if (!isObject(error) || depth > 10) return false;
  const { code, cause, errors } = error;
  if (typeof code === 'string' && unreachedCodes.has(code)) return true;
  const all = isList(errors) ? errors : [];
  return isUnreached(cause, depth + 1) || (all.length > 0 && all.every((each) => isUnreached(each, depth + 1)));
}
