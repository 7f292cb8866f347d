// Finds out, when it is asked to, whether an agent makes one task of a message that comes twice; and keeps what it found.
import { Inject, Injectable } from '@nestjs/common';
import { OUTBOUND, type Outbound } from '#outbound';
import { probeDedupe } from '#protocol';
import { AgentDirectory, CLOCK, type Clock, type DispatchProfile, DispatchProfiles, Problem } from '#runtime';

@Injectable()
export class Prober {
  constructor(
    private readonly directory: AgentDirectory,
    private readonly profiles: DispatchProfiles,
    @Inject(OUTBOUND) private readonly outbound: Outbound,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Sends the agent one harmless message twice. Throws `Problem` where there is no such agent. */
  async probe(tenant: string, agentId: string): Promise<DispatchProfile> {
    const agent = await this.directory.find(tenant, agentId);
    if (agent === undefined) throw new Problem('agent-unknown', 'no agent of this id is registered', { agentId });
    const { cardUrl } = agent;
    const probedAt = new Date(this.clock.now()).toISOString();
    const finding = await probeDedupe(agent, { outbound: this.outbound, probeId: `duewatch-probe:${probedAt}` });
    await this.profiles.keepProbe(tenant, { agentId, cardUrl }, { ...finding, probedAt });
    return this.profiles.find(tenant, { agentId, cardUrl });
  }
}
