// What a request asks of the agent, read from a copy of it: whether it brings a message, and which. What cannot be read is
// the agent's to refuse: it is forwarded as it is.
import { isObject, isUsableId, type JsonObject, member } from '#protocol';
import { fairTurns, parseJsonInTurns } from '#runtime';
import type { Binding } from './gateway-interfaces.ts';

/** `send` and `stream` bring a message; `card` asks for the extended card; `other` is all else. */
export const operationKinds = ['send', 'stream', 'card', 'other'] as const;

export type OperationKind = (typeof operationKinds)[number];

export interface Operation {
  readonly kind: OperationKind;
  /** Of a JSON-RPC request; null where it has none. */
  readonly rpcId: string | number | null;
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

const methods: ReadonlyMap<unknown, OperationKind> = new Map([
  ['SendMessage', 'send'],
  ['message/send', 'send'],
  ['SendStreamingMessage', 'stream'],
  ['message/stream', 'stream'],
  ['GetExtendedAgentCard', 'card'],
  ['agent/getAuthenticatedExtendedCard', 'card'],
]);

/** Never throws. */
export async function readOperation(request: OperationRequest): Promise<Operation> {
  const { binding, tenant, body } = request;
  const kind = binding === 'rest' ? restKind(request) : undefined;
  if (kind !== undefined && kind !== 'send' && kind !== 'stream') return { kind, rpcId: null };
  const parsed = await parseJsonInTurns(body, () => fairTurns.next(tenant));
  const value = 'value' in parsed && isObject(parsed.value) ? parsed.value : undefined;
  if (kind !== undefined) return { kind, rpcId: null, ...sent(value) };
  const id = value?.['id'];
  const rpcId = typeof id === 'string' || typeof id === 'number' ? id : null;
  const rpcKind = methods.get(value?.['method']) ?? 'other';
  const params = value?.['params'];
  return { kind: rpcKind, rpcId, ...((rpcKind === 'send' || rpcKind === 'stream') && sent(params)) };
}

// 1.0 may have the agent's own tenant in front, 0.3 has `v1`.
function restKind({ method, below }: OperationRequest): OperationKind {
  const path = decoded(below).replace(/\/+$/, '');
  const [, verb] = /\/message:(send|stream)$/.exec(path) ?? [];
  if (method === 'POST' && verb !== undefined) return verb === 'send' ? 'send' : 'stream';
  return method === 'GET' && /(^|\/)(extendedAgentCard|v1\/card)$/.test(path) ? 'card' : 'other';
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
