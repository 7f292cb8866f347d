// Tells the log what an agent shows of a task, where it is news; whichever way it came.
import type { SeenTask, StreamPart } from '#protocol';
import type { Asking } from '../state-order.ts';
import type { FollowedAgentName, FollowPorts } from './follow-ports.ts';
import type { FollowedTask } from './followed-task.ts';

export class TaskWatch {
  constructor(
    private readonly name: FollowedAgentName,
    private readonly ports: Pick<FollowPorts, 'sightings' | 'clock'>,
  ) {}

  /** The whole of a task was shown, as it was asked for. Throws what the log throws; it is news then still. */
  async shown(task: FollowedTask, seen: SeenTask, asking: Asking): Promise<void> {
    const found = await this.tell(task, { task: seen.task }, { asking, recorded: task.recorded });
    const nowMs = this.ports.clock.now();
    task.statusAtMs = seen.statusAtMs ?? task.statusAtMs;
    task.shownAtMs = nowMs;
    if (found === 'overtaken') task.overtaken(nowMs);
    else task.looked(nowMs, found === 'news');
  }

  /**
   * Resolves, once it is in the log, to whether it was news; `overtaken`: it may be older than what somebody else was
   * shown, and has to be asked for again. `recorded` is the state that the record has.
   */
  async tell(
    task: FollowedTask,
    part: StreamPart,
    { asking, recorded }: { readonly asking: Asking; readonly recorded?: string | undefined },
  ): Promise<'news' | 'old' | 'overtaken'> {
    const { tenant, agentId } = this.name;
    const nowMs = this.ports.clock.now();
    const showing = { nowMs, isInOrder: true, ...(recorded !== undefined && { recorded }) };
    const news = task.told.newsIn(agentId, part, showing);
    if (news === undefined) return 'old';
    if ((await this.ports.sightings.tell(tenant, agentId, [part], { asking })) === 'overtaken') return 'overtaken';
    task.told.remember(news, nowMs);
    task.said(news.state);
    return news.isRepeated === true ? 'old' : 'news';
  }
}
