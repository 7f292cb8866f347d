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
  if (response.ok) return text === '' ? undefined : (JSON.parse(text) as unknown);
  throw new CommandError(response.status >= 500 ? ExitCode.cannotReach : ExitCode.notSo, `${response.status}: ${text}`);
}
