// What a client asks when it registers an agent, checked.
import { type AgentSettings, readSettings } from '#expectations';
import type { AgentAuth } from '#protocol';
import { type DispatchSettings, invalidField, readFields, readText } from '#runtime';
import { readAuth } from './agent-auth-request.ts';
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
    ...(auth !== undefined && { auth: readAuth(auth, cardUrl) }),
    ...(settings !== undefined && { settings: readAgentSettings(settings) }),
    ...(dispatch !== undefined && { dispatch: readDispatchSettings(dispatch) }),
  };
}

function readAgentSettings(value: unknown): AgentSettings {
  const read = readSettings(value, true);
  if ('message' in read) throw invalidField('settings', `are wrong: ${read.message}`);
  return read.settings;
}
