// An agent behind the gateway of an edge application, and clients of it.
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  JsonRpcTransportFactory,
  RestTransportFactory,
  DefaultAgentCardResolver,
} from '@a2a-js/sdk/client';
import { decodeInbox, partitionOf } from '#event-log';
import type { ScriptedAgent } from '../scripted-agent/scripted-agent.ts';
import type { EdgeApp } from './edge-app.ts';

/** Registers the agent under the id for `acme`, unless told; resolves to its base URL at the gateway, with a slash. */
export async function behindGateway(
  edge: EdgeApp,
  agent: Pick<ScriptedAgent, 'url'>,
  agentId: string,
  { tenant = 'acme', auth }: { readonly tenant?: string; readonly auth?: object } = {},
): Promise<string> {
  const key = await edge.key({ tenant });
  const json = { cardUrl: agent.url, ...(auth && { auth }) };
  const answer = await edge.call('PUT', `/v1/agents/${encodeURIComponent(agentId)}`, { key, json });
  if (answer.status !== 200) throw new Error(`the agent was not registered: ${JSON.stringify(answer.body)}`);
  return `${edge.url}/a2a/${tenant}/${encodeURIComponent(agentId)}/`;
}

/** The SDK's own client, by the card that the gateway serves; `fetchImpl` where headers are to be added or read. */
export function sdkClient(baseUrl: string, fetchImpl: typeof fetch = fetch): Promise<Client> {
  const options = { fetchImpl, legacyCompat: { enabled: true } };
  const transports = [new JsonRpcTransportFactory(options), new RestTransportFactory(options)];
  const cardResolver = new DefaultAgentCardResolver(options);
  return new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { transports, cardResolver }),
  ).createFromUrl(baseUrl);
}

/** What the log has of an agent, in order, but for its declaration. */
export async function toldOf(
  edge: EdgeApp,
  agentId: string,
  tenant = 'acme',
): Promise<readonly Record<string, unknown>[]> {
  const records = await edge.log.read('inbox', partitionOf(tenant, edge.log.partitionCount), {
    from: 0,
    limit: 10_000,
  });
  return records
    .filter((record) => record.tenant === tenant)
    .map((record) => decodeInbox(record.value) as unknown as Record<string, unknown>)
    .filter((input) => input['agentId'] === agentId && input['type'] !== 'agentDeclared');
}
