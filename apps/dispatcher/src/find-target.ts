// Whom to call, or why nobody can be. Throws faults of the directory, which pass.
import type { AgentDirectory, RegisteredAgent } from './agent-directory.ts';
import { isWorldFault } from '#runtime';

/** What is wrong with the agent's entry for good (its credential cannot be read) is as good as none. */
export async function findTarget(
  directory: AgentDirectory,
  tenant: string,
  agentId: string,
): Promise<RegisteredAgent | { readonly missing: string }> {
  try {
    return (await directory.find(tenant, agentId)) ?? { missing: 'the agent is not registered' };
  } catch (error) {
    if (!(error instanceof Error) || isWorldFault(error) || !('retryable' in error)) throw error;
    return { missing: `the agent cannot be called: ${error.message}` };
  }
}
