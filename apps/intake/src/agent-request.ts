// What a client asks when it registers an agent, checked.
import { type AgentSettings, readSettings } from '#expectations';
import type { AgentAuth } from '#protocol';
import { type DispatchSettings, invalidField, readFields, readText, type ReminderSettings } from '#runtime';
import { readAuth } from './agent-auth-request.ts';
import { readDispatchSettings } from './dispatch-request.ts';
import { readReminderSettings } from './reminders-request.ts';

export interface AgentRequest {
  readonly cardUrl: string;
  readonly auth?: AgentAuth;
  readonly settings?: AgentSettings;
  /** How lapses are to be sent to it. */
  readonly dispatch?: DispatchSettings;
  /** What it is to be reminded of in its running tasks. */
  readonly reminders?: ReminderSettings;
}

/** Throws `Problem` naming the field. */
export function readAgentRequest(body: unknown): AgentRequest {
  const names = ['cardUrl', 'auth', 'settings', 'dispatch', 'reminders'];
  const { cardUrl, auth, settings, dispatch, reminders } = readFields(body, '', names);
  return {
    cardUrl: readText(cardUrl, 'cardUrl', 2_048),
    ...(auth !== undefined && { auth: readAuth(auth, cardUrl) }),
    ...(settings !== undefined && { settings: readAgentSettings(settings) }),
    ...(dispatch !== undefined && { dispatch: readDispatchSettings(dispatch) }),
    ...(reminders !== undefined && { reminders: readReminderSettings(reminders) }),
  };
}

function readAgentSettings(value: unknown): AgentSettings {
  const read = readSettings(value, true);
  if ('message' in read) throw invalidField('settings', `are wrong: ${read.message}`);
  return read.settings;
}
