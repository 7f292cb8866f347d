// An inject as a client writes it, over each binding and version, and a stream read byte by byte.
import { REMINDERS_URI } from '#reminders';
import { pathOf, type Way } from './served-agent.ts';

export interface Injected {
  /** Of JSON-RPC's error, or of HTTP; 0 where it was taken. */
  readonly code: number;
  readonly message: string;
  readonly result: { readonly reminderId?: string; readonly dedupedCount?: number; readonly acceptedAt?: string };
}

type Members = Readonly<Record<string, unknown>>;

export const activating = { 'A2A-Extensions': REMINDERS_URI, 'X-A2A-Extensions': REMINDERS_URI };

export function inject(
  url: string,
  way: Way,
  taskId: string,
  reminder: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Injected> {
  return injectAt(`${url}${pathOf(way)}`, way, taskId, reminder, headers);
}

/** Where the way's interface is. */
export async function injectAt(
  base: string,
  [binding, version]: Way,
  taskId: string,
  reminder: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Injected> {
  const all = { 'content-type': 'application/json', ...(version === '1.0' && { 'A2A-Version': '1.0' }), ...headers };
  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: all,
      body: JSON.stringify(body),
    });
    return { status: response.status, json: (await response.json()) as Members };
  };
  if (binding === 'JSONRPC') {
    const params = { taskId, reminder };
    const { json } = await post('', { jsonrpc: '2.0', id: 1, method: 'InjectTaskReminder', params });
    return shown(json['result'], json['error']);
  }
  const prefix = version === '0.3' ? '/v1' : '';
  const { status, json } = await post(`${prefix}/tasks/${encodeURIComponent(taskId)}:injectReminder`, { reminder });
  if (status === 200) return shown(json, undefined);
  const error = (version === '0.3' ? json : json['error']) as { readonly message: string };
  return { code: status, message: error.message, result: {} };
}

function shown(result: unknown, error: unknown): Injected {
  const { code = 0, message = '' } = (error ?? {}) as Partial<Injected>;
  return { code, message, result: result ?? {} };
}

/** Follows a task, and gives each event of the stream as JSON. */
export async function* subscribe(
  url: string,
  way: Way,
  taskId: string,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): AsyncGenerator<Members, void, undefined> {
  const [binding] = way;
  const all = { 'content-type': 'application/json', 'A2A-Version': '1.0', accept: 'text/event-stream', ...headers };
  const rpc = { jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id: taskId } };
  const base = `${url}${pathOf(way)}`;
  const response = await (binding === 'JSONRPC'
    ? fetch(base, { method: 'POST', headers: all, body: JSON.stringify(rpc), signal })
    : fetch(`${base}/tasks/${taskId}:subscribe`, { method: 'GET', headers: all, signal }));
  let rest = '';
  for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const frames = `${rest}${chunk}`.split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      if (frame.startsWith(':')) continue;
      const event = JSON.parse(frame.replace(/^data: /, '')) as Members;
      yield binding === 'JSONRPC' ? (event['result'] as Members) : event;
    }
  }
}
