// Many tasks of one agent at once: those that its list shows as changed. What the list does not show has not changed its
// state; it may have a new artifact, for which each task is looked at by itself now and then.
import type { Access, AgentAccess } from './agent-access.ts';
import type { FollowedAgentName, FollowPorts } from './follow-ports.ts';
import type { FollowedTask } from './followed-task.ts';
import type { TaskWatch } from './task-watch.ts';

const pagesCount = 20;
/** An agent's instances need not have one clock, nor write in the order of it. */
const overlapMs = 60_000;

export class AgentSweep {
  /** The newest state that a whole sweep has shown. */
  private sweptToMs: number | undefined;

  constructor(
    private readonly name: FollowedAgentName,
    private readonly access: AgentAccess,
    private readonly watch: TaskWatch,
    private readonly ports: FollowPorts,
  ) {}

  /** Whether the list would show what becomes of the task: its agent gives its states instants, and it was seen whole lately. */
  canShow(task: FollowedTask): boolean {
    const { clock, options } = this.ports;
    const isSeen = task.shownAtMs !== undefined && clock.now() - task.shownAtMs < options.poll.capMs;
    return isSeen && task.statusAtMs !== undefined && !task.isOver && !task.isLost;
  }

  /**
   * Looks at them together. Resolves to those that must be looked at one by one, since the list was too long. Throws
   * `TaskReadError`, and what the log throws.
   */
  async sweep(
    { target }: Access,
    tasks: readonly FollowedTask[],
    signal: AbortSignal,
  ): Promise<readonly FollowedTask[]> {
    const unseen = new Map(tasks.map((task) => [task.taskId, task]));
    const nowMs = this.ports.clock.now();
    const oldestMs = tasks.reduce((least, { statusAtMs = nowMs }) => Math.min(least, statusAtMs), nowMs);
    const afterMs = Math.max(0, Math.min(this.sweptToMs ?? oldestMs, nowMs) - overlapMs);
    let newestMs = this.sweptToMs ?? oldestMs;
    let pageToken = '';
    for (let page = 0; page < pagesCount; page += 1) {
      const query = { afterMs, pageToken };
      const asking = this.ports.sightings.ask();
      const listed = await this.ports.turns.within(this.name.tenant, signal, () =>
        this.ports.reader.list(target, query, signal),
      );
      if (listed === undefined) return [];
      this.access.answered();
      for (const seen of listed.tasks) {
        newestMs = Math.max(newestMs, seen.statusAtMs ?? newestMs);
        const task = unseen.get(seen.taskId);
        if (task === undefined) continue;
        unseen.delete(seen.taskId);
        task.way = 'sweep';
        await this.watch.shown(task, seen, asking);
      }
      pageToken = listed.nextPageToken;
      if (pageToken === '') break;
    }
    this.sweptToMs = newestMs;
    if (pageToken !== '') return [...unseen.values()];
    for (const task of unseen.values()) {
      task.way = 'sweep';
      task.looked(this.ports.clock.now(), false);
    }
    return [];
  }
}
