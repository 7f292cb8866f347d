// One tenant's tasks that are to be followed, by agent, kept as the list of them goes on; a bounded number at a time.
import { isUsableId } from '#protocol';
import { type AwaitedTask, FIRST_TASK } from '#read-model';
import { orEndProcess } from '#serving';
import type { AgentAccess } from './agent-access.ts';
import { AgentFollower } from './agent-follower.ts';
import type { FollowPorts } from './follow-ports.ts';
import { FollowTroubles } from './follow-troubles.ts';
import type { FollowedTask } from './followed-task.ts';

const pageSize = 500;
const mostFailing = 1_000;

interface Lane {
  readonly agent: AgentFollower;
  readonly done: Promise<void>;
}

export class TenantFollower {
  private readonly lanes = new Map<string, Lane>();
  /** How those agents have answered that did not, and whose tasks have gone for now. */
  private readonly failing = new Map<string, AgentAccess>();
  private readonly troubles: FollowTroubles;
  private pass = 1;
  /** The agents that the list has shown in this pass. */
  private readonly listed = new Set<string>();
  private after = FIRST_TASK;
  /** Up to where in the ledger it is known what has come. */
  private newest: number | undefined;

  constructor(
    private readonly tenant: string,
    private readonly ports: FollowPorts,
    private readonly signal: AbortSignal,
  ) {
    this.troubles = new FollowTroubles(tenant, ports);
  }

  get agents(): readonly AgentFollower[] {
    return [...this.lanes.values()].map(({ agent }) => agent);
  }

  /**
   * Takes what has come since the last look, and the next part of the list, as far as there is room; at the list's end, what
   * was not on it any more goes. Throws storage faults.
   */
  async look(): Promise<void> {
    const { awaited } = this.ports;
    this.newest ??= await awaited.newest(this.tenant);
    const come = await awaited.since(this.tenant, this.newest, pageSize);
    if (come.length > this.room) await this.makeRoom();
    for (const task of come) if (this.take(task)) this.newest = task.ledgerOffset;
    if (this.room === 0) await this.makeRoom();
    const page = await awaited.page(this.tenant, this.after, pageSize);
    const stoppedAt = page.findIndex((task) => !this.take(task));
    const taken = stoppedAt === -1 ? page : page.slice(0, stoppedAt);
    this.after = taken.at(-1)?.taskHash ?? (stoppedAt === -1 ? FIRST_TASK : this.after);
    if (stoppedAt === -1 && page.length < pageSize) await this.endPass();
    await this.troubles.tell(this.agents);
  }

  /** There is nothing of the tenant's to follow any more. Throws storage faults. */
  async end(): Promise<void> {
    await this.dropWhere(() => true, true);
    await this.ports.troubles.followedBut(this.tenant, []);
  }

  /** Resolves once all that it does is done; the signal has aborted. */
  async done(): Promise<void> {
    await Promise.all([...this.lanes.values()].map((lane) => lane.done));
  }

  private get room(): number {
    return this.ports.options.tasksPerTenant - this.agents.reduce((sum, { tasks }) => sum + tasks.size, 0);
  }

  /** False where there is no room for one more. What no agent can be asked for, nor any store keep, is passed over. */
  private take(task: AwaitedTask): boolean {
    if (!isUsableId(task.taskId)) return true;
    this.listed.add(task.agentId);
    const isKnown = this.lanes.get(task.agentId)?.agent.tasks.has(task.taskId) === true;
    if (!isKnown && this.room <= 0) return false;
    this.laneOf(task.agentId).take(task, this.pass);
    return true;
  }

  /** Those that were asked for go until their turn comes again; of an agent that does not answer all, streams aside. */
  private async makeRoom(): Promise<void> {
    await this.dropWhere((task, agent) => task.mayGo || (agent.access.isFailing && task.way !== 'stream'), false);
  }

  private async endPass(): Promise<void> {
    this.after = FIRST_TASK;
    const ended = this.pass;
    this.pass += 1;
    await this.dropWhere((task) => task.pass < ended, true);
    const listed = [...this.listed];
    this.listed.clear();
    await this.troubles.keepOnly(listed);
  }

  private async dropWhere(
    isToGo: (task: FollowedTask, agent: AgentFollower) => boolean,
    isDone: boolean,
  ): Promise<void> {
    for (const agent of this.agents) {
      for (const task of agent.tasks.values()) if (isToGo(task, agent)) await agent.drop(task, isDone);
    }
  }

  private laneOf(agentId: string): AgentFollower {
    const known = this.lanes.get(agentId);
    if (known !== undefined && !known.agent.isEnding) return known.agent;
    const name = { tenant: this.tenant, agentId };
    const agent = new AgentFollower(name, this.ports, orEndProcess, this.failing.get(agentId));
    this.failing.delete(agentId);
    // Its first task comes before it runs.
    const running = Promise.resolve().then(() => agent.run(this.signal));
    const done = orEndProcess(running).then(() => {
      if (this.lanes.get(agentId)?.agent !== agent) return;
      this.lanes.delete(agentId);
      if (agent.access.isFailing && this.failing.size < mostFailing) this.failing.set(agentId, agent.access);
    });
    this.lanes.set(agentId, { agent, done });
    return agent;
  }
}
