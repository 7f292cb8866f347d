// What a client asks when it registers an agent, checked.
import { type AgentSettings, readSettings } from '#expectations';
import { type AgentAuth, type DispatchSettings, invalidField, readFields, readText } from '#runtime';
import { readDispatchSettings } from './dispatch-request.ts';

export interface AgentRequest {
  readonly cardUrl: string;
  readonly auth?: AgentAuth;
  readonly settings?: AgentSettings;
  /** How lapses are to be sent to it. */
  readonly dispatch?: DispatchSettings;
}

/** Throws `Problem` naming the field. */
export function readAgentRequest(body: unknown): AgentRequest {
  const { cardUrl, auth, settings, dispatch } = readFields(body, '', ['cardUrl', 'auth', 'settings', 'dispatch']);
  return {
    cardUrl: readText(cardUrl, 'cardUrl', 2_048),
    ...(auth !== undefined && { auth: readAuth(auth) }),
    ...(settings !== undefined && { settings: readAgentSettings(settings) }),
    ...(dispatch !== undefined && { dispatch: readDispatchSettings(dispatch) }),
  };
}

function readAuth(value: unknown): AgentAuth {
  const { type, ...rest } = readFields(value, 'auth', ['type', 'token', 'name', 'value']);
  if (type === 'bearer') {
    const { token } = readFields(rest, 'auth', ['token']);
    return { type, token: readHeaderValue(token, 'auth.token') };
  }
  if (type !== 'header') throw invalidField('auth.type', 'must be "bearer" or "header"');
  const { name, value: text } = readFields(rest, 'auth', ['name', 'value']);
  return { type, name: readHeaderName(name), value: readHeaderValue(text, 'auth.value') };
}

/** Headers that are the connection's or the protocol's own. */
const reserved =
  /^(host|connection|keep-alive|proxy-.*|transfer-encoding|te|trailer|upgrade|expect|content-.*|accept|(x-)?a2a-.*)$/i;

function readHeaderName(value: unknown): string {
  const name = readText(value, 'auth.name', 100);
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw invalidField('auth.name', 'must be the name of a header');
  if (reserved.test(name)) throw invalidField('auth.name', 'must not be a header of HTTP or A2A itself');
  return name;
}

function readHeaderValue(value: unknown, path: string): string {
  const text = readText(value, path, 8_192);
  if (!/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text)) throw invalidField(path, 'must be visible ASCII');
  return text;
}

function readAgentSettings(value: unknown): AgentSettings {
  const read = readSettings(value, true);
  if ('message' in read) throw invalidField('settings', `are wrong: ${read.message}`);
  return read.settings;
}
