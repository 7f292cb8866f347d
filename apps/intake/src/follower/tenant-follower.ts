// One tenant's tasks that are to be followed, by agent, kept as the list of them goes on; a bounded number at a time.
import { FIRST_TASK } from '#read-model';
import { orEndProcess } from '#serving';
import { AgentFollower } from './agent-follower.ts';
import type { FollowPorts } from './follow-ports.ts';

const pageSize = 500;

interface Lane {
  readonly agent: AgentFollower;
  readonly done: Promise<void>;
}

export class TenantFollower {
  private readonly lanes = new Map<string, Lane>();
  private pass = 1;
  private after = FIRST_TASK;
  /** Tasks of the list that had no room in this pass. */
  private isCrowded = false;

  constructor(
    private readonly tenant: string,
    private readonly ports: FollowPorts,
    private readonly signal: AbortSignal,
  ) {}

  get agents(): readonly AgentFollower[] {
    return [...this.lanes.values()].map(({ agent }) => agent);
  }

  /** Reads the next part of the list; at its end, what was not on it any more goes. Throws storage faults. */
  async look(): Promise<void> {
    const page = await this.ports.awaited.page(this.tenant, this.after, pageSize);
    for (const awaited of page) {
      const known = this.lanes.get(awaited.agentId)?.agent.tasks.has(awaited.taskId) === true;
      if (known || this.count < this.ports.options.tasksPerTenant)
        this.laneOf(awaited.agentId).take(awaited, this.pass);
      else this.isCrowded = true;
    }
    this.after = page.at(-1)?.taskHash ?? FIRST_TASK;
    if (page.length < pageSize) await this.endPass();
  }

  /** There is nothing of the tenant's to follow any more. */
  async end(): Promise<void> {
    this.pass += 1;
    await this.dropWhere((pass) => pass < this.pass, true);
  }

  /** Resolves once all that it does is done; the signal has aborted. */
  async done(): Promise<void> {
    await Promise.all([...this.lanes.values()].map((lane) => lane.done));
  }

  private get count(): number {
    return this.agents.reduce((sum, { tasks }) => sum + tasks.size, 0);
  }

  private async endPass(): Promise<void> {
    this.after = FIRST_TASK;
    const ended = this.pass;
    this.pass += 1;
    await this.dropWhere((pass) => pass < ended, true);
    // Those that wait come in where others were looked at and had nothing to say.
    if (this.isCrowded) await this.dropWhere((_, isQuiet) => isQuiet, false);
    this.isCrowded = false;
  }

  private async dropWhere(isToGo: (pass: number, isQuiet: boolean) => boolean, isDone: boolean): Promise<void> {
    for (const agent of this.agents) {
      for (const task of agent.tasks.values()) {
        if (isToGo(task.pass, task.isQuiet)) await agent.drop(task, isDone);
      }
    }
  }

  private laneOf(agentId: string): AgentFollower {
    const known = this.lanes.get(agentId);
    if (known !== undefined && !known.agent.isEnding) return known.agent;
    const agent = new AgentFollower({ tenant: this.tenant, agentId }, this.ports, orEndProcess);
    // Its first task comes before it runs.
    const running = Promise.resolve().then(() => agent.run(this.signal));
    const done = orEndProcess(running).then(() => {
      if (this.lanes.get(agentId)?.agent === agent) this.lanes.delete(agentId);
    });
    this.lanes.set(agentId, { agent, done });
    return agent;
  }
}
