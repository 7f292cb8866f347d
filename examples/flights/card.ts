// The agent's card: what it can do, how it is reached, and what it expects of the world.
import { AgentCard } from '@a2a-js/sdk';
import { bookSkill, declaration, expectationsUri, lapseSkill } from './extension.ts';

/** The card of the agent that answers at `baseUrl`. */
export function cardOf(baseUrl: string): AgentCard {
  return AgentCard.fromJSON({
    name: 'Flight booking',
    description: 'Books flights, says when each is expected to depart and to arrive, and answers when one does not.',
    version: '1.0.0',
    supportedInterfaces: [
      { url: `${baseUrl}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${baseUrl}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ],
    capabilities: {
      streaming: true,
      pushNotifications: false,
      extensions: [
        {
          uri: expectationsUri,
          description: 'States when a booked flight departs and arrives, so that one that does not is noticed.',
          required: false,
          params: declaration,
        },
      ],
    },
    defaultInputModes: ['application/json', 'text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [
      {
        id: bookSkill,
        name: 'Book flights',
        description: 'Takes a data part {"flights": […]} and books each of them.',
        tags: ['flights'],
      },
      {
        id: lapseSkill,
        name: 'Answer for a lapse',
        description: 'Takes a lapse of the Expectations extension and says what becomes of it.',
        tags: ['flights', 'lapses'],
      },
    ],
  });
}
