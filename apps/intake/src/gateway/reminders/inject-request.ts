// Recognises InjectTaskReminder in either binding (reminders, *Inject*). Of whatever else comes it must say nothing.
import { INJECT_METHOD, INJECT_VERB } from '#reminders';

/** What a request asks of the method. */
export interface InjectCall {
  /** Of JSON-RPC, its parameters; of HTTP+JSON they are the body, yet unread. */
  readonly params?: unknown;
  /** Of HTTP+JSON, as the path has it, decoded. */
  readonly taskId?: string;
  /** Of HTTP+JSON, the raw path of the task itself. */
  readonly taskPath?: string;
}

export function rpcInject(method: string, params: unknown): InjectCall | undefined {
  return method === INJECT_METHOD ? { params } : undefined;
}

/** `POST …/tasks/{id}:injectReminder`, the colon spelt either way; `below` is the raw path under the interface. */
export function restInject(method: string, below: string): InjectCall | undefined {
  const [, taskPath = '', rawId = ''] =
    /^((?:\/[^/]*){0,2}\/tasks\/([^/]+))(?::|%3A)injectReminder\/?$/i.exec(below) ?? [];
  if (method !== 'POST' || !below.includes(INJECT_VERB.slice(1)) || rawId === '') return undefined;
  try {
    return { taskId: decodeURIComponent(rawId), taskPath };
  } catch {
    return undefined;
  }
}
