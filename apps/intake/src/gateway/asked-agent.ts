// Whom to ask about what was sent on through the gateway, once nobody waits for it any more.
import { type AgentAddress, type AgentDirectory, SealBrokenError } from '#runtime';
import type { Asked } from './agent-questions.ts';
import { gatewayInterfaces, interfaceAt } from './gateway-interfaces.ts';

/** By which interface of which agent it was sent. */
export interface SentTo {
  readonly tenant: string;
  readonly agentId: string;
  /** `rest/1.0`, as the gateway has it. */
  readonly interfacePath: string;
}

/**
 * Undefined where the agent is not registered any more, offers no interface, or has a credential that cannot be read, of
 * which `onUnreadable` is told. Throws `StorageUnavailableError`.
 */
export async function askedAgent(
  directory: AgentDirectory,
  { tenant, agentId, interfacePath }: SentTo,
  onUnreadable: (error: SealBrokenError) => void = () => undefined,
): Promise<Asked | undefined> {
  let address: AgentAddress | undefined;
  try {
    address = await directory.find(tenant, agentId);
  } catch (error) {
    if (!(error instanceof SealBrokenError)) throw error;
    onUnreadable(error);
  }
  if (address === undefined) return undefined;
  const [binding, version = ''] = interfacePath.split('/');
  const interfaces = gatewayInterfaces(address.card);
  // An agent that has moved since is asked where its card says now.
  const via = interfaceAt(interfaces, binding === 'rest' ? 'rest' : 'jsonrpc', version) ?? interfaces[0];
  return via === undefined ? undefined : { tenant, address, via };
}
