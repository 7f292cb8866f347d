// Finds out, when it is asked to, whether an agent makes one task of a message that comes twice; and keeps what it found.
import { Inject, Injectable } from '@nestjs/common';
import { AgentCalls, probeDedupe } from '#protocol';
import { AgentDirectory, CLOCK, type Clock, type DispatchProfile, DispatchProfiles } from '#runtime';
import { agentUnknown } from './registrar.ts';

@Injectable()
export class Prober {
  constructor(
    private readonly directory: AgentDirectory,
    private readonly profiles: DispatchProfiles,
    private readonly calls: AgentCalls,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Sends the agent one harmless message twice. Throws `Problem` where there is no such agent. */
  async probe(tenant: string, agentId: string): Promise<DispatchProfile> {
    const agent = await this.directory.find(tenant, agentId);
    if (agent === undefined) throw agentUnknown(agentId);
    const { cardUrl } = agent;
    const probedAt = new Date(this.clock.now()).toISOString();
    const finding = await probeDedupe(agent, { calls: this.calls, probeId: `duewatch-probe:${probedAt}` });
    await this.profiles.keepProbe(tenant, { agentId, cardUrl }, { ...finding, probedAt });
    return this.profiles.find(tenant, { agentId, cardUrl });
  }
}
