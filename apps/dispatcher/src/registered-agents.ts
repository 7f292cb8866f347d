// The agents as intake has registered them, each with how lapses are to be sent to it.
import type { AgentDirectory as Directory, DispatchProfiles } from '#runtime';
import type { AgentDirectory } from './agent-directory.ts';

export function registeredAgents(directory: Directory, profiles: DispatchProfiles): AgentDirectory {
  return {
    find: async (tenant, agentId) => {
      const address = await directory.find(tenant, agentId);
      if (address === undefined) return undefined;
      return { ...address, dispatch: await profiles.find(tenant, { agentId, cardUrl: address.cardUrl }) };
    },
  };
}
