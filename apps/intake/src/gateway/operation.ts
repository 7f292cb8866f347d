// What a request asks of the agent, read from a copy of it: whether it brings a message, and which. It must never let go on
// what another parser may read as a message and this one does not: nobody would watch what comes of it.
import { isObject, isUsableId, type JsonObject, member } from '#protocol';
import { fairTurns, parseJsonInTurns, Problem } from '#runtime';
import type { Binding } from './gateway-interfaces.ts';
import { type InjectCall, restInject, rpcInject } from './reminders/inject-request.ts';

/** `send` and `stream` bring a message; `card` asks for the extended card; `other` is all else. */
export const operationKinds = ['send', 'stream', 'card', 'other'] as const;

export type OperationKind = (typeof operationKinds)[number];

/**
 * What the answer may say of the agent's work: a task or a message, the task asked for, tasks, events of the task asked
 * for, or nothing. Whatever else an agent answers may be what a client has written there before.
 */
export type AnswerKind = 'reply' | 'task' | 'tasks' | 'events' | 'nothing';

export interface Operation {
  readonly kind: OperationKind;
  readonly answers: AnswerKind;
  /** The task that `task` and `events` are about; absent where the request names none that could be. */
  readonly taskId?: string;
  /** Of a JSON-RPC request; null where it has none. */
  readonly rpcId: string | number | null;
  /** A reminder that is to be injected. */
  readonly inject?: InjectCall;
  /** Of `send` and `stream`. */
  readonly message?: SentMessage;
}

/** A client's message. An id that no store keeps is as none. */
export interface SentMessage {
  readonly value: JsonObject;
  readonly messageId?: string;
  readonly contextId?: string;
  readonly taskId?: string;
}

export interface OperationRequest {
  readonly tenant: string;
  readonly binding: Binding;
  readonly method: string;
  /** The raw path under the interface. */
  readonly below: string;
  readonly body: Uint8Array;
}

type Asks = Pick<Operation, 'kind' | 'answers' | 'taskId'>;

const nothing: Asks = { kind: 'other', answers: 'nothing' };
const card: Asks = { kind: 'card', answers: 'nothing' };
const send: Asks = { kind: 'send', answers: 'reply' };
const stream: Asks = { kind: 'stream', answers: 'reply' };
const task: Asks = { kind: 'other', answers: 'task' };
const tasks: Asks = { kind: 'other', answers: 'tasks' };
const events: Asks = { kind: 'other', answers: 'events' };

/** By the names of 1.0 and of 0.3. */
const methods: ReadonlyMap<unknown, Asks> = new Map([
  ['SendMessage', send],
  ['message/send', send],
  ['SendStreamingMessage', stream],
  ['message/stream', stream],
  ['GetTask', task],
  ['tasks/get', task],
  ['CancelTask', task],
  ['tasks/cancel', task],
  ['ListTasks', tasks],
  ['tasks/list', tasks],
  ['SubscribeToTask', events],
  ['tasks/resubscribe', events],
  ['GetExtendedAgentCard', card],
  ['agent/getAuthenticatedExtendedCard', card],
]);

/** What a JSON-RPC request is made of; parsers that do not tell capitals from small letters take them so too. */
const envelopeNames: readonly string[] = ['jsonrpc', 'id', 'method', 'params'];

/** Throws `Problem` (`malformed-body`, `body-too-large`) where it may bring a message, and cannot be read with certainty. */
export async function readOperation(request: OperationRequest): Promise<Operation> {
  const { binding } = request;
  if (binding === 'rest') {
    const asks = restAsks(request);
    if (bringsMessage(asks)) return { ...asks, rpcId: null, ...sent(await bodyOf(request)) };
    const inject = restInject(request.method, request.below);
    return { ...asks, rpcId: null, ...(inject !== undefined && { inject }) };
  }
  const value = await bodyOf(request);
  const { id, method, params } = value;
  if (typeof method !== 'string' || Object.keys(value).some(isMisspelt)) {
    throw new Problem(
      'malformed-body',
      'a request of JSON-RPC has jsonrpc, id, method and params, and method is a text',
    );
  }
  const rpcId = typeof id === 'string' || typeof id === 'number' ? id : null;
  const asked = methods.get(method) ?? nothing;
  if (bringsMessage(asked)) return { ...asked, rpcId, ...sent(params) };
  const inject = rpcInject(method, params);
  return {
    ...about(asked, isObject(params) ? params['id'] : undefined),
    rpcId,
    ...(inject !== undefined && { inject }),
  };
}

async function bodyOf({ tenant, body }: OperationRequest): Promise<JsonObject> {
  const parsed = await parseJsonInTurns(body, () => fairTurns.next(tenant));
  if (!('value' in parsed)) {
    const type = parsed.isTooLarge === true ? 'body-too-large' : 'malformed-body';
    throw new Problem(type, `the body cannot be read, and is not forwarded: ${parsed.refused}`);
  }
  if (isObject(parsed.value)) return parsed.value;
  throw new Problem('malformed-body', 'the body must be one JSON object; requests in a batch are not forwarded');
}

function isMisspelt(name: string): boolean {
  return !envelopeNames.includes(name) && envelopeNames.includes(name.toLowerCase());
}

/** Whether it brings a message. */
export function bringsMessage({ kind }: Pick<Operation, 'kind'>): boolean {
  return kind === 'send' || kind === 'stream';
}

/** With the task that is asked for. */
function about(asks: Asks, taskId: unknown): Asks {
  if (asks.answers !== 'task' && asks.answers !== 'events') return asks;
  return isUsableId(taskId) ? { ...asks, taskId } : nothing;
}

// 1.0 may have the agent's own tenant in front, 0.3 has `v1`.
function restAsks({ method, below }: OperationRequest): Asks {
  const path = decoded(below).replace(/\/+$/, '');
  // However a lenient router may have it.
  const [, verb] = /\/message:(send|stream)(?:;[^/]*)?$/i.exec(path) ?? [];
  if (method === 'POST' && verb !== undefined) {
    const asks = verb.toLowerCase() === 'send' ? send : stream;
    return isBelowTask(path) ? { ...asks, answers: 'nothing' } : asks;
  }
  if (method === 'GET' && /(^|\/)(extendedAgentCard|v1\/card)$/.test(path)) return card;
  return taskAsks(method, below);
}

/** Of the paths of tasks themselves: what is below one, such as its push configurations, is the client's own. */
function taskAsks(method: string, below: string): Asks {
  const segments = below.replace(/\/+$/, '').split('/').slice(1).map(decoded);
  const at = segments.indexOf('tasks');
  if (at === -1 || segments.length - at > 2) return nothing;
  const named = segments[at + 1];
  if (named === undefined) return method === 'GET' ? tasks : nothing;
  if (isBelowTask(`/tasks/${named}`)) return nothing;
  const [, id = named, verb] = /^(.*):(cancel|subscribe)$/.exec(named) ?? [];
  if (verb === 'subscribe') return method === 'GET' || method === 'POST' ? about(events, id) : nothing;
  if (verb === 'cancel') return method === 'POST' ? about(task, id) : nothing;
  return method === 'GET' ? about(task, id) : nothing;
}

/** However its slashes are spelt: an agent may decode them before it looks for the place. */
function isBelowTask(path: string): boolean {
  return /\/tasks\/.+\/(pushNotificationConfigs?|message:)/i.test(path);
}

// 0.3's HTTP+JSON has the message as `request` where its server takes proto names.
function sent(params: unknown): { readonly message: SentMessage } | undefined {
  const named = isObject(params) ? (member(params, 'message') ?? member(params, 'request')) : undefined;
  const value = isObject(named) ? named : {};
  const ids = (['messageId', 'contextId', 'taskId'] as const).flatMap((name) => {
    const id = member(value, name);
    return isUsableId(id) ? [[name, id] as const] : [];
  });
  return { message: { value, ...Object.fromEntries(ids) } };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
