// One task's stream, from its snapshot to its end. Whatever breaks it loses nothing: the next begins with a snapshot.
import { readObservation, type StreamPart, taskIdOf } from '#protocol';
import { linked } from '#runtime';
import type { Asking } from '../state-order.ts';
import type { Access } from './agent-access.ts';
import type { FollowPorts } from './follow-ports.ts';
import type { FollowedTask } from './followed-task.ts';
import type { TaskWatch } from './task-watch.ts';

type Parts = AsyncIterator<StreamPart>;

/** A stream that stood for so long was no failure. */
const heldMs = 10_000;

export class TaskStream {
  private isNews = false;
  private begunAtMs: number | undefined;

  constructor(
    private readonly task: FollowedTask,
    private readonly watch: TaskWatch,
    private readonly ports: FollowPorts,
  ) {}

  /** Its agent has said something on it. */
  get hasBegun(): boolean {
    return this.begunAtMs !== undefined;
  }

  /** It has brought news, or has stood for a while. */
  get hasHeld(): boolean {
    return this.isNews || (this.begunAtMs !== undefined && this.ports.clock.now() - this.begunAtMs >= heldMs);
  }

  /**
   * Resolves when the agent has ended it, when it has said nothing for too long, when what it says may be out of order, or
   * when the signal aborts. `onBegun` is
   * called once it has begun. Throws `TaskReadError`, and what the log throws.
   */
  async run({ target }: Access, signal: AbortSignal, onBegun: () => void): Promise<void> {
    const ended = new AbortController();
    const asking = this.ports.sightings.ask();
    await linked(signal, ended, async () => {
      const parts = this.ports.reader.follow(target, this.task.taskId, ended.signal)[Symbol.asyncIterator]();
      try {
        for (let part = await this.next(parts, ended); part !== undefined; part = await this.next(parts, ended)) {
          this.begunAtMs ??= this.ports.clock.now();
          onBegun();
          if (!(await this.take(part, asking))) break;
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        ended.abort();
        await parts.return?.();
      }
    });
  }

  /** An agent says on a task's stream what is of that task. False where it is to be asked anew. */
  private async take(part: StreamPart, asking: Asking): Promise<boolean> {
    if (taskIdOf(part) !== this.task.taskId) return true;
    const isWhole = 'task' in part;
    const found = await this.watch.tell(this.task, part, {
      asking,
      recorded: isWhole ? this.task.recorded : undefined,
    });
    if (found === 'news') this.isNews = true;
    if (isWhole) this.task.shownAtMs = this.ports.clock.now();
    this.task.statusAtMs = statusAtMsOf(part) ?? this.task.statusAtMs;
    return found !== 'overtaken';
  }

  /** Undefined at its end, or after so long a silence. */
  private async next(parts: Parts, ended: AbortController): Promise<StreamPart | undefined> {
    const { clock, options } = this.ports;
    const waiting = new AbortController();
    const next = parts.next().then((result) => (result.done === true ? undefined : result.value));
    // Where nobody waits for it any more it fails for the abort, which is no news.
    next.catch(() => undefined);
    const silence = clock.sleep(options.streamIdleMs, waiting.signal).then(() => {
      if (!waiting.signal.aborted) ended.abort();
      return undefined;
    });
    try {
      return await Promise.race([next, silence]);
    } finally {
      waiting.abort();
    }
  }
}

function statusAtMsOf(part: StreamPart): number | undefined {
  const read = readObservation({ agentId: 'agent', ...part }, { name: '', sources: [] });
  if (!read.ok) return undefined;
  const [statusAt] = read.inputs.flatMap((input) => (input.type === 'statusObserved' ? (input.statusAt ?? []) : []));
  const atMs = typeof statusAt === 'string' ? Date.parse(statusAt) : NaN;
  return Number.isFinite(atMs) ? atMs : undefined;
}
