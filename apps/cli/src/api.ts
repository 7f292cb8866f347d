// The public API as the command line uses it.
import { loadClientConfig } from '#runtime';
import { CommandError, ExitCode } from './exit-code.ts';

/** Calls the API; resolves to the JSON it answers, undefined for an empty answer. Throws `CommandError`. */
export async function callApi(method: string, path: string, body?: unknown): Promise<unknown> {
  const { apiUrl, key } = loadClientConfig();
  if (key === undefined) throw new CommandError(ExitCode.wrongUse, 'DUEWATCH_KEY must hold a key');
  let response: Response;
  try {
    response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (cause) {
    throw new CommandError(ExitCode.cannotReach, `${apiUrl} cannot be reached: start it with npm start`, { cause });
  }
  const text = await response.text();
  const answer = text === '' ? undefined : parseJson(text);
  if (response.ok && (text === '' || answer !== undefined)) return answer;
  const { detail, title } = { ...(answer as { readonly detail?: unknown; readonly title?: unknown } | undefined) };
  // A problem of the API's own has a title; anything else was answered by something else.
  if (typeof title !== 'string') {
    const what = `${apiUrl} is no Duewatch: it answered ${method} ${path} with ${response.status}`;
    throw new CommandError(ExitCode.cannotReach, what);
  }
  throw new CommandError(exitCodeOf(response.status), typeof detail === 'string' ? `${title}: ${detail}` : title);
}

/** All items of the list at a path, page by page; `query` holds its parameters, those of paging aside. */
export async function* callPages<Item>(
  path: string,
  query: Readonly<Record<string, string>> = {},
): AsyncGenerator<Item> {
  let cursor: string | undefined;
  do {
    const parameters = new URLSearchParams({ ...query, limit: '1000', ...(cursor !== undefined && { cursor }) });
    const page = (await callApi('GET', `${path}?${parameters.toString()}`)) as {
      readonly items: readonly Item[];
      readonly next?: string;
    };
    yield* page.items;
    cursor = page.next;
  } while (cursor !== undefined);
}

/** Only what is not there is an answer; any other refusal is of how it was asked. */
function exitCodeOf(status: number): CommandError['exitCode'] {
  if (status === 404) return ExitCode.notSo;
  return status >= 500 || status === 429 ? ExitCode.cannotReach : ExitCode.wrongUse;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
