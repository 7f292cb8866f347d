// Tells the log what an agent shows of a task, where it is news; whichever way it came.
import type { SeenTask, StreamPart } from '#protocol';
import type { FollowedAgentName, FollowPorts } from './follow-ports.ts';
import type { FollowedTask } from './followed-task.ts';

export class TaskWatch {
  constructor(
    private readonly name: FollowedAgentName,
    private readonly ports: Pick<FollowPorts, 'sightings' | 'clock'>,
  ) {}

  /** The whole of a task was shown. Throws what the log throws; it is news then still. */
  async shown(task: FollowedTask, seen: SeenTask): Promise<void> {
    const isNews = await this.tell(task, { task: seen.task }, task.recorded);
    const nowMs = this.ports.clock.now();
    task.statusAtMs = seen.statusAtMs ?? task.statusAtMs;
    task.shownAtMs = nowMs;
    task.looked(nowMs, isNews);
  }

  /** Resolves, once it is in the log, to whether it was news. `recorded` is the state that the record has. */
  async tell(task: FollowedTask, part: StreamPart, recorded?: string): Promise<boolean> {
    const { tenant, agentId } = this.name;
    const nowMs = this.ports.clock.now();
    const showing = { nowMs, isInOrder: true, ...(recorded !== undefined && { recorded }) };
    const news = task.told.newsIn(agentId, part, showing);
    if (news === undefined) return false;
    await this.ports.sightings.tell(tenant, agentId, [part]);
    task.told.remember(news, nowMs);
    task.said(news.state);
    return news.isRepeated !== true;
  }
}
