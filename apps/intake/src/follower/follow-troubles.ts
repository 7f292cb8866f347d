// Tells operators, with the agent, that tasks of it cannot be followed, and takes it back once they can.
// It must never take back what following has not shown to be over: who starts anew knows nothing yet.
import type { FollowPorts } from './follow-ports.ts';
import type { Standing } from './no-answer.ts';

export interface StandingAgent {
  readonly agentId: string;
  readonly standing: Standing;
}

export class FollowTroubles {
  /** By agent, what was told last. */
  private readonly told = new Map<string, { readonly said: string; readonly atMs: number }>();
  private sweptAtMs = -Infinity;

  constructor(
    private readonly tenant: string,
    private readonly ports: Pick<FollowPorts, 'troubles' | 'clock' | 'options'>,
  ) {}

  /** What is news of how the agents' tasks stand, of each now and then. Throws storage faults. */
  async tell(agents: readonly StandingAgent[]): Promise<void> {
    const followed: string[] = [];
    for (const { agentId, standing } of agents) {
      if (standing === undefined || !this.isNews(agentId, JSON.stringify(standing))) continue;
      if (standing === 'followed') followed.push(agentId);
      else await this.ports.troubles.unfollowed(this.tenant, agentId, standing);
      this.told.set(agentId, { said: JSON.stringify(standing), atMs: this.ports.clock.now() });
    }
    if (followed.length > 0) await this.ports.troubles.followed(this.tenant, followed);
  }

  /** There is something to follow of these alone. Throws storage faults. */
  async keepOnly(agentIds: readonly string[]): Promise<void> {
    const nowMs = this.ports.clock.now();
    if (nowMs - this.sweptAtMs < this.ports.options.troubleEveryMs) return;
    await this.ports.troubles.followedBut(this.tenant, agentIds);
    this.sweptAtMs = nowMs;
    const kept = new Set(agentIds);
    for (const agentId of this.told.keys()) if (!kept.has(agentId)) this.told.delete(agentId);
  }

  private isNews(agentId: string, said: string): boolean {
    const last = this.told.get(agentId);
    if (last === undefined) return true;
    return last.said !== said && this.ports.clock.now() - last.atMs >= this.ports.options.troubleEveryMs;
  }
}
