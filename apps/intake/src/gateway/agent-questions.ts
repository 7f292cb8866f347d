// Asks an agent, in the watcher's own name, what became of a message: with the credential that is registered for it.
// It must never change anything at the agent.
import { Injectable } from '@nestjs/common';
import {
  AgentCalls,
  EXTENSION_HEADER,
  isList,
  isObject,
  isUsableId,
  LEGACY_EXTENSION_HEADER,
  member,
  readBytes,
  understoodUris,
  VERSION_HEADER,
} from '#protocol';
import { type AgentAddress, fairTurns, parseJsonInTurns, Problem } from '#runtime';
import { type GatewayInterface, isLegacy } from './gateway-interfaces.ts';
import { targetOf } from './target.ts';
import { within } from './within.ts';

const timeoutMs = 10_000;
const answerBytes = 10_000_000;
const pageSize = 100;
const pagesCount = 5;
const lookUpsCount = 20;

/** Where and as whom to ask. */
export interface Asked {
  readonly tenant: string;
  /** After it nothing more is asked. */
  readonly signal?: AbortSignal;
  readonly address: AgentAddress;
  readonly via: GatewayInterface;
}

/** By what a message is known again. */
export interface MessageIds {
  readonly messageId: string;
  readonly contextId?: string;
}

@Injectable()
export class AgentQuestions {
  constructor(private readonly calls: AgentCalls) {}

  /** The task as the agent shows it, its artifacts included; undefined where it shows none. Never throws for what an agent does. */
  async task(asked: Asked, taskId: string, historyLength = 0): Promise<unknown> {
    const answer = await this.ask(asked, {
      method: isLegacy(asked.via) ? 'tasks/get' : 'GetTask',
      params: { id: taskId, historyLength },
      path: () => `/tasks/${encodeURIComponent(taskId)}?historyLength=${historyLength}`,
    });
    return isObject(answer) && member(answer, 'id') === taskId ? answer : undefined;
  }

  /** The id of the task that the message made, or went to; undefined where it is not to be found. 0.3 lists no tasks. */
  async taskOf(asked: Asked, { messageId, contextId }: MessageIds): Promise<string | undefined> {
    if (isLegacy(asked.via)) return undefined;
    let lookUpsLeft = lookUpsCount;
    let pageToken = '';
    for (let page = 0; page < pagesCount; page += 1) {
      const params = { ...(contextId !== undefined && { contextId }), pageSize, historyLength: pageSize, pageToken };
      const query = new URLSearchParams(
        Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const answer = await this.ask(asked, { method: 'ListTasks', params, path: () => `/tasks?${query.toString()}` });
      const tasks = isObject(answer) ? member(answer, 'tasks') : undefined;
      if (!isObject(answer) || !isList(tasks)) return undefined;
      for (const task of tasks) {
        const id = isObject(task) ? member(task, 'id') : undefined;
        if (!isUsableId(id)) continue;
        let history = historyOf(task);
        if (history.length === 0 && lookUpsLeft > 0) {
          lookUpsLeft -= 1;
          history = historyOf(await this.task(asked, id, pageSize));
        }
        if (history.some((message) => isObject(message) && member(message, 'messageId') === messageId)) return id;
      }
      const next = member(answer, 'nextPageToken');
      if (typeof next !== 'string' || next === '') return undefined;
      pageToken = next;
    }
    return undefined;
  }

  /** The result; undefined for whatever else the agent or the network does. */
  private async ask(asked: Asked, question: Question): Promise<unknown> {
    if (asked.signal?.aborted === true) return undefined;
    try {
      const { url, init } = requestOf(asked, question);
      const response = await this.calls.fetch(asked.address, url, init);
      const bytes = await readBytes(response, answerBytes);
      const parsed = await parseJsonInTurns(bytes, () => fairTurns.next(asked.tenant));
      if (response.status !== 200 || !('value' in parsed)) return undefined;
      if (asked.via.binding === 'rest') return parsed.value;
      return isObject(parsed.value) ? parsed.value['result'] : undefined;
    } catch (error) {
      if (isOfAgent(error)) return undefined;
      throw error;
    }
  }
}

interface Question {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Of HTTP+JSON 1.0, under the interface and the agent's own tenant. Throws where the agent's id cannot be in one. */
  readonly path: () => string;
}

function requestOf(
  { via, signal: ended }: Asked,
  { method, params, path }: Question,
): { readonly url: URL; readonly init: RequestInit } {
  const legacy = isLegacy(via);
  const headers = {
    accept: 'application/json',
    [legacy ? LEGACY_EXTENSION_HEADER : EXTENSION_HEADER]: understoodUris[0] ?? '',
    [VERSION_HEADER]: legacy ? '0.3' : via.version,
  };
  // What an agent gives bit by bit ends too.
  const signal = within(timeoutMs, ended);
  if (via.binding === 'rest') {
    const [below = '', query = ''] = path().split('?');
    const prefix = legacy ? '/v1' : via.tenant === undefined ? '' : `/${encodeURIComponent(via.tenant)}`;
    return { url: urlOf(via.url, prefix + below, query), init: { headers, signal } };
  }
  const all = { ...params, ...(via.tenant !== undefined && !legacy && { tenant: via.tenant }) };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: all });
  const json = { ...headers, 'content-type': 'application/json' };
  return { url: urlOf(via.url, '', ''), init: { method: 'POST', body, headers: json, signal } };
}

function urlOf(base: string, below: string, query: string): URL {
  const { origin, path } = targetOf(base, below, query);
  return new URL(path, origin);
}

/** What its card or its ids have that is no part of a URL, or whatever a network does; all else is a bug. */
function isOfAgent(error: unknown): boolean {
  if (error instanceof Problem || error instanceof URIError) return true;
  return (
    error instanceof Error &&
    ('code' in error || 'cause' in error || /^(Abort|Timeout|TooLarge)Error$/.test(error.name))
  );
}

function historyOf(task: unknown): readonly unknown[] {
  const history = isObject(task) ? member(task, 'history') : undefined;
  return isList(history) ? history : [];
}
