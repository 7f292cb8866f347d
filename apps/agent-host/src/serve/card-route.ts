// `/.well-known/agent-card.json`: the compiled card, for everybody, with what caches need.
import { AgentCard } from '@a2a-js/sdk';
import { agentCardHandler } from '@a2a-js/sdk/server/express';
import type { RequestHandler } from 'express';
import type { DeclaredReminders } from '#reminders';
import { isRead, jsonDocument, maxAgeSeconds } from './json-document.ts';
import { askedVersion } from './wire/asked-version.ts';

/** `has03`: clients of 0.3, which name no version, are shown the card as they know it, with the interfaces of 1.0 beside. */
export function cardRoute(card: AgentCard, has03: boolean, reminders?: DeclaredReminders): RequestHandler {
  const answer = jsonDocument(jsonOf(card, reminders));
  const cache = { maxAge: maxAgeSeconds };
  const legacy = agentCardHandler({ agentCardProvider: async () => card, cache, legacyCompat: { enabled: true } });
  return (request, response, next) => {
    if (!isRead(request)) {
      response.status(405).set('Allow', 'GET, HEAD').end();
      return;
    }
    const isOld = askedVersion(request) === '0.3';
    if (has03 && isOld) {
      void legacy(request, response, next);
      return;
    }
    if (has03) response.vary('A2A-Version');
    answer(request, response);
  };
}

/** A2A's codec has no member for reminders yet; 0.3 is shown the extension alone. */
function jsonOf(card: AgentCard, reminders: DeclaredReminders | undefined): unknown {
  const json = AgentCard.toJSON(card) as { readonly capabilities?: object };
  if (reminders === undefined) return json;
  const { required: _required, extension: _extension, ...capability } = reminders;
  return { ...json, capabilities: { ...json.capabilities, reminders: capability } };
}
