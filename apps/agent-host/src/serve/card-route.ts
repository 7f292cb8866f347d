// `/.well-known/agent-card.json`: the compiled card, for everybody, with what caches need.
import { createHash } from 'node:crypto';
import { AgentCard } from '@a2a-js/sdk';
import { agentCardHandler } from '@a2a-js/sdk/server/express';
import type { RequestHandler } from 'express';
import type { DeclaredReminders } from '#reminders';

const maxAgeSeconds = 300;

/** `has03`: clients of 0.3, which name no version, are shown the card as they know it, with the interfaces of 1.0 beside. */
export function cardRoute(card: AgentCard, has03: boolean, reminders?: DeclaredReminders): RequestHandler {
  const body = JSON.stringify(jsonOf(card, reminders));
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const cache = { maxAge: maxAgeSeconds };
  const legacy = agentCardHandler({ agentCardProvider: async () => card, cache, legacyCompat: { enabled: true } });
  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.status(405).set('Allow', 'GET, HEAD').end();
      return;
    }
    const isOld = (request.header('A2A-Version') ?? '0.3').startsWith('0.3');
    if (has03 && isOld) {
      void legacy(request, response, next);
      return;
    }
    if (has03) response.vary('A2A-Version');
    response.set({ 'Cache-Control': `public, max-age=${maxAgeSeconds}`, ETag: etag });
    if (
      request
        .header('If-None-Match')
        ?.split(/\s*,\s*/)
        .some((known) => known.replace(/^W\//, '') === etag) === true
    ) {
      response.status(304).end();
      return;
    }
    response.type('application/json').send(body);
  };
}

/** A2A's codec has no member for reminders yet; 0.3 is shown the extension alone. */
function jsonOf(card: AgentCard, reminders: DeclaredReminders | undefined): unknown {
  const json = AgentCard.toJSON(card) as { readonly capabilities?: object };
  if (reminders === undefined) return json;
  const { required: _required, extension: _extension, ...capability } = reminders;
  return { ...json, capabilities: { ...json.capabilities, reminders: capability } };
}
