// What a client asks when it registers an agent, checked.
import { type AgentSettings, readSettings } from '#expectations';
import type { AgentAuth } from '#protocol';
import { invalidField, readFields, readText } from '#runtime';
import { readAuth } from './agent-auth-request.ts';

export interface AgentRequest {
  readonly cardUrl: string;
  readonly auth?: AgentAuth;
  readonly settings?: AgentSettings;
}

/** Throws `Problem` naming the field. */
export function readAgentRequest(body: unknown): AgentRequest {
  const { cardUrl, auth, settings } = readFields(body, '', ['cardUrl', 'auth', 'settings']);
  return {
    cardUrl: readText(cardUrl, 'cardUrl', 2_048),
    ...(auth !== undefined && { auth: readAuth(auth, cardUrl) }),
    ...(settings !== undefined && { settings: readAgentSettings(settings) }),
  };
}

function readAgentSettings(value: unknown): AgentSettings {
  const read = readSettings(value, true);
  if ('message' in read) throw invalidField('settings', `are wrong: ${read.message}`);
  return read.settings;
}
