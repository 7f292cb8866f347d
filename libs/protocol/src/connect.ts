// The SDK's client of an agent, by the interfaces on its card.
// It must never fetch anything by itself, nor send but through the exchange that it is given.
import { AgentCard } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  JsonRpcTransportFactory,
  RestTransportFactory,
  ServiceParameters,
  withA2AExtensions,
} from '@a2a-js/sdk/client';
import type { Exchange } from './exchange.ts';
import { EXTENSION_URI } from './extension.ts';
import { readInterfaces } from './interfaces.ts';
import type { AgentTarget } from './messenger.ts';

/**
 * Undefined where the card offers no way to call it. The card that the SDK sees is made of nothing but where the agent
 * can be called, and that what is asked for may be: whether it may is the caller's to know, and what else is on the card
 * cannot trip the SDK.
 */
export async function connect(target: AgentTarget, exchange: Exchange): Promise<Client | undefined> {
  const supportedInterfaces = readInterfaces(target.card);
  if (supportedInterfaces.length === 0) return undefined;
  const options = { fetchImpl: exchange.fetch, legacyCompat: { enabled: true } };
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory(options), new RestTransportFactory(options)],
    cardResolver: { resolve: () => Promise.reject(new Error('the card is given, never fetched')) },
  });
  const capabilities = { streaming: true, pushNotifications: true };
  return factory.createFromAgentCard(AgentCard.fromJSON({ supportedInterfaces, capabilities }));
}

/**
 * Activates the extension (§7), or those given. The client spells the header by the wire: `A2A-Extensions`,
 * `X-A2A-Extensions` on 0.3.
 */
export function activated(extensions: readonly string[] = [EXTENSION_URI]): ServiceParameters {
  return extensions.length === 0 ? {} : ServiceParameters.create(withA2AExtensions(...extensions));
}
