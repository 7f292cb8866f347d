// Asks an agent to send what becomes of tasks, each by a token of its own, so that they need be looked at rarely.
import { TaskReadError } from '#protocol';
import type { Access, AgentAccess } from './agent-access.ts';
import type { FollowedAgentName, FollowPorts } from './follow-ports.ts';
import type { FollowedTask } from './followed-task.ts';

export class PushAsker {
  /** By a token that the agent has agreed to, from before or now. */
  private readonly asked = new WeakSet<FollowedTask>();

  constructor(
    private readonly name: FollowedAgentName,
    private readonly access: AgentAccess,
    private readonly ports: FollowPorts,
  ) {}

  /**
   * Asks for those that it was not asked for. From then on nothing is missed that a look after it does not show. Throws
   * `TaskReadError` where the agent did not answer, and storage faults.
   */
  async ask({ target, capabilities }: Access, tasks: readonly FollowedTask[], signal: AbortSignal): Promise<void> {
    const { publicUrl } = this.ports.options;
    if (publicUrl === undefined || !capabilities.pushNotifications || !this.access.does('push')) return;
    const { tenant, agentId } = this.name;
    const fresh = tasks.filter((task) => !this.asked.has(task) && !task.isOver && !task.isLost);
    const ids = fresh.map(({ taskId }) => taskId);
    const agreed = await this.ports.subscriptions.agreedOf(tenant, agentId, ids);
    const url = `${publicUrl}/v1/push/${tenant}/${encodeURIComponent(agentId)}`;
    for (const task of fresh) {
      if (!agreed.has(task.taskId) && !(await this.askFor(task, { target, url }, signal))) continue;
      this.asked.add(task);
      task.way = 'push';
    }
  }

  /** It is not followed any more: what its agent sends of it is not believed. Throws storage faults. */
  async end(task: FollowedTask): Promise<void> {
    if (this.asked.has(task)) await this.ports.subscriptions.end({ ...this.name, taskId: task.taskId });
  }

  /** Whether the agent has agreed; an answer that says no is no fault. */
  private async askFor(
    { taskId }: FollowedTask,
    { target, url }: { readonly target: Access['target']; readonly url: string },
    signal: AbortSignal,
  ): Promise<boolean> {
    if (!this.access.does('push')) return false;
    const { subscriptions, reader, turns } = this.ports;
    const token = await subscriptions.make({ ...this.name, taskId });
    let isAgreed = false;
    try {
      const asked = await turns.within(this.name.tenant, signal, async () => {
        await reader.askToPush(target, { taskId, url, token }, signal);
        return true;
      });
      if (asked !== true) return false;
      await subscriptions.agreed(token);
      isAgreed = true;
      return true;
    } catch (error) {
      if (!(error instanceof TaskReadError) || error.fault === 'away') throw error;
      if (error.fault !== 'unknownTask') this.access.doesNot('push');
      return false;
    } finally {
      // Else each time it is asked anew would leave one more.
      if (!isAgreed) await subscriptions.forget(token);
    }
  }
}
