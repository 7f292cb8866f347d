// Lets go, now and then, of tasks that have been over for long and of sessions that nobody has used for long. Any number of
// processes may do so at once: each takes what no other has.
import type { LoggerService } from '@nestjs/common';
import type { Clock } from '#runtime';
import { lookAgain } from '../look-again.ts';
import type { SessionStore } from './session-store.ts';
import type { WorkQueue } from '../work/work-queue.ts';
import type { TaskStore } from './task-store.ts';

/** How long what? */
export interface Keeping {
  /** Tasks, once they are over, and what somebody outside has ended. */
  readonly tasksMs: number;
  /** Sessions, once nobody uses them. */
  readonly sessionsMs: number;
}

export interface RetentionOptions {
  readonly application: string;
  readonly tasks: Pick<TaskStore, 'letGo'>;
  readonly sessions: Pick<SessionStore, 'letGo'>;
  /** Absent: no work is queued. */
  readonly work?: Pick<WorkQueue, 'letGo'>;
  readonly keeping: Keeping;
  readonly clock: Clock;
  readonly log: LoggerService;
}

const everyMs = 600_000;
/** In one transaction. */
const atOnce = 100;

export class Retention {
  private readonly stopped = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: RetentionOptions) {}

  /** At once, and then again and again, until `close`. */
  start(): void {
    const { clock, log } = this.options;
    this.running = lookAgain(() => this.look(), {
      signal: this.stopped.signal,
      report: (fault) => void log.warn(String(fault), 'AgentHost'),
      pause: (signal) => clock.sleep(everyMs, signal),
    });
  }

  async close(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  private async look(): Promise<void> {
    const { keeping, sessions, tasks, work } = this.options;
    await this.letGo('tasks', tasks, keeping.tasksMs);
    await this.letGo('sessions', sessions, keeping.sessionsMs);
    if (work !== undefined) await this.letGo('waits', work, keeping.tasksMs);
  }

  /** Until there are no more. */
  private async letGo(what: string, store: Pick<TaskStore, 'letGo'>, forMs: number): Promise<void> {
    const { application, log } = this.options;
    let allCount = 0;
    for (let count = atOnce; count === atOnce && !this.stopped.signal.aborted; allCount += count) {
      count = await store.letGo(application, forMs, atOnce);
    }
    if (allCount > 0) log.log(`${allCount} old ${what} are let go of`, 'AgentHost');
  }
}
