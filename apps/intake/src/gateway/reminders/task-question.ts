// Asks the agent for the task that a reminder is for, as the client itself would: whether it may know of it is the agent's
// to say. It must never use a credential but the client's.
import type { Dispatcher } from 'undici';
import { isTerminal } from '#expectations';
import { GatheredBytes, isObject, type JsonObject, member, stateName } from '#protocol';
import { fairTurns, parseJsonInTurns } from '#runtime';
import { unusableAnswer } from '../agent-fault.ts';
import type { Exchange } from '../exchange.ts';
import { withoutNames } from '../forwarded-headers.ts';
import { isLegacy } from '../gateway-interfaces.ts';
import type { GatewayLimits } from '../gateway-limits.ts';
import { targetOf } from '../target.ts';
import { callAgent, chunksOf, type Upstream } from '../upstream.ts';

/** What the agent says of the task; `other` is an answer that is the client's to read, such as 401. */
export type TaskFound =
  | { readonly found: 'running'; readonly contextId: string }
  | { readonly found: 'terminal' }
  | { readonly found: 'none' }
  | { readonly found: 'other'; readonly upstream: Upstream; readonly bytes: Uint8Array };

const notFoundCode = -32001;

/** Throws `AgentFault`, and `Problem` where the id can be no part of a path. */
export async function findTask(
  dispatcher: Dispatcher,
  exchange: Exchange,
  taskId: string,
  limits: GatewayLimits,
  signal: AbortSignal,
): Promise<TaskFound> {
  const upstream = await callAgent(dispatcher, questionOf(exchange, taskId), limits, signal);
  const bytes = await gathered(upstream, limits.answerBytes);
  const parsed = await parseJsonInTurns(bytes, () => fairTurns.next(exchange.agent.tenant));
  const value = 'value' in parsed ? parsed.value : undefined;
  if (isNotFound(value, exchange, upstream.statusCode)) return { found: 'none' };
  const task = taskIn(value, exchange, upstream.statusCode);
  if (task === undefined || member(task, 'id') !== taskId) return { found: 'other', upstream, bytes };
  const status = member(task, 'status');
  const state = isObject(status) ? stateName(member(status, 'state')) : null;
  if (state !== null && isTerminal(state)) return { found: 'terminal' };
  const contextId = member(task, 'contextId');
  return { found: 'running', contextId: typeof contextId === 'string' ? contextId : taskId };
}

function questionOf(exchange: Exchange, taskId: string): Exchange {
  const { via, operation } = exchange;
  const asks = { kind: 'other', answers: 'task', taskId, rpcId: operation.rpcId } as const;
  if (via.binding === 'rest') {
    const headers = withoutNames(exchange.headers, ['content-type']);
    const target = targetOf(via.url, operation.inject?.taskPath ?? '', 'historyLength=0');
    return { ...exchange, operation: asks, method: 'GET', target, headers, body: new Uint8Array() };
  }
  const params = { id: taskId, historyLength: 0, ...tenantOf(operation.inject?.params) };
  const method = isLegacy(via) ? 'tasks/get' : 'GetTask';
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: operation.rpcId ?? 1, method, params }));
  return { ...exchange, operation: asks, body };
}

/** The agent's own tenants are its own matter. */
function tenantOf(params: unknown): { readonly tenant?: unknown } {
  return isObject(params) && params['tenant'] !== undefined ? { tenant: params['tenant'] } : {};
}

async function gathered(upstream: Upstream, limit: number): Promise<Uint8Array> {
  const bytes = new GatheredBytes(limit);
  for await (const chunk of chunksOf(upstream)) {
    if (!bytes.add(chunk)) throw unusableAnswer(`the agent’s answer is larger than ${limit} bytes`);
  }
  return bytes.take();
}

function isNotFound(value: unknown, { via }: Exchange, statusCode: number): boolean {
  if (via.binding === 'rest') return statusCode === 404;
  const error = isObject(value) ? value['error'] : undefined;
  return isObject(error) && error['code'] === notFoundCode;
}

function taskIn(value: unknown, { via }: Exchange, statusCode: number): JsonObject | undefined {
  if (statusCode !== 200 || !isObject(value)) return undefined;
  const task = via.binding === 'rest' ? value : value['result'];
  return isObject(task) ? task : undefined;
}
