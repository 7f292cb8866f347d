// Does queued work, whichever process queued it, and lets its task go on. It must never do twice what may not be repeated,
// nor anything of a turn again.
import { TaskState } from '@a2a-js/sdk';
import type { LoggerService } from '@nestjs/common';
import type { AgentHandler, Json } from '#agent-handler';
import { type Clock, linked, type NewId } from '#runtime';
import { lookAgain } from '../look-again.ts';
import { checkJson } from '../run/check-json.ts';
import type { Runs } from '../run/runs.ts';
import { endTask } from '../store/end-task.ts';
import { nameOf } from '../store/task-signals.ts';
import type { Lease, TaskKey, TaskStore } from '../store/task-store.ts';
import { isOver, stateOf } from '../task/task-state.ts';
import type { ClaimedWork, WorkQueue } from './work-queue.ts';

export interface WorkerOptions {
  readonly application: string;
  readonly handler: AgentHandler;
  readonly queue: WorkQueue;
  readonly tasks: TaskStore;
  readonly runs: Runs;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly lease: Lease;
  readonly log: LoggerService;
  /** What this process's handler does not know. */
  readonly passing?: Passing;
}

/** While an application is rolled out, its processes do not all know the same work. */
export interface Passing {
  /** Nobody claims what is passed on for so long. */
  readonly forMs: number;
  /** For so long this process then claims nothing, so that those who know it come first. */
  readonly pauseMs: number;
  /** What has been claimed so often by who does not know it is known to nobody. */
  readonly mostClaims: number;
}

/** Some seven hours: a backlog that only others know must not fail meanwhile. */
const defaultPassing: Passing = { forMs: 250, pauseMs: 5_000, mostClaims: 5_000 };
const mostAtOnce = 8;
/** In one look: what this process does know comes behind, and what it does is to be said again in time. */
const mostPassedOn = 100;
const lookEveryMs = 250;

const texts = {
  failed: 'The agent could not finish this.',
  abandoned: 'The process that did the work for this has ended; it was not finished.',
};

interface Doing {
  readonly key: TaskKey;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

export class Worker {
  private readonly doing = new Map<string, Doing>();
  private readonly stopped = new AbortController();
  private looking: Promise<void> = Promise.resolve();
  /** Others could not say again what they work on, either; or they know what this process does not. */
  private claimNoneUntilMs = 0;

  constructor(private readonly options: WorkerOptions) {}

  /** Looks for work until `close`. */
  start(): void {
    const { clock, lease, log } = this.options;
    this.looking = lookAgain(() => this.look(), {
      signal: this.stopped.signal,
      report: (fault) => {
        this.claimNoneUntilMs = clock.now() + lease.leaseMs;
        log.warn(String(fault), 'AgentHost');
      },
      pause: (signal) => clock.sleep(lookEveryMs, signal),
    });
  }

  /** Work that is done now is told to end; what of it may be repeated is done again by another process. */
  async close(): Promise<void> {
    this.stopped.abort();
    await this.looking;
    for (const { controller } of this.doing.values()) controller.abort();
    await Promise.all([...this.doing.values()].map(({ done }) => done));
  }

  private async look(): Promise<void> {
    const { application, clock, lease, passing = defaultPassing, queue } = this.options;
    if (this.doing.size > 0) {
      const keys = [...this.doing.values()].map(({ key }) => key);
      for (const key of await queue.renew(application, lease, keys)) this.doing.get(nameOf(key))?.controller.abort();
    }
    if (clock.now() < this.claimNoneUntilMs) return;
    let passedOnCount = 0;
    while (this.doing.size < mostAtOnce && passedOnCount < mostPassedOn && !this.stopped.signal.aborted) {
      const claimed = await queue.claim(application, lease);
      if (claimed === undefined) break;
      if (await this.passesOn(claimed)) passedOnCount += 1;
      else this.begin(claimed);
    }
    if (passedOnCount > 0) this.claimNoneUntilMs = clock.now() + passing.pauseMs;
  }

  /** Another process of the application may know what this one does not. */
  private async passesOn(claimed: ClaimedWork): Promise<boolean> {
    const { handler, passing = defaultPassing, queue } = this.options;
    const { epoch, name, stage, isVoid } = claimed;
    const isOfResume = stage === 'done' || stage === 'late';
    const isKnown = isOfResume ? handler.resume !== undefined : handler.work?.[name] !== undefined;
    if (isKnown || isVoid || epoch >= passing.mostClaims) return false;
    return queue.passOn(claimed, passing.forMs);
  }

  private begin(claimed: ClaimedWork): void {
    const name = nameOf(claimed.key);
    const controller = new AbortController();
    const done = this.goThrough(claimed, controller.signal)
      .catch((fault: unknown) => void this.options.log.warn(String(fault), `task ${claimed.key.taskId}`))
      .finally(() => this.doing.delete(name));
    this.doing.set(name, { key: claimed.key, controller, done });
  }

  private async goThrough(claimed: ClaimedWork, signal: AbortSignal): Promise<void> {
    const { key, stage, name } = claimed;
    const { handler, queue, tasks } = this.options;
    if (claimed.isVoid) return this.letGo(claimed);
    if (stage === 'done' || stage === 'late') {
      if (handler.resume === undefined) return this.failUnknown(claimed, signal);
      return this.resume(claimed, claimed.result ?? null, signal);
    }
    const work = handler.work?.[name];
    if (work === undefined) return this.failUnknown(claimed, signal);
    if (stage === 'begun' && work.isRepeatable !== true) return this.fail(claimed, texts.abandoned, signal);
    // Its turn may have asked for it after the task was ended by another.
    const asking = await tasks.read(key);
    if (asking === undefined || isOver(stateOf(asking.task))) return this.letGo(claimed);
    let result: Json;
    try {
      // Work that returns nothing has null for a result.
      const done: unknown = await work.perform(claimed.payload ?? null, signal);
      result = checkJson(done ?? null, `the result of the work ${name}`);
    } catch (error) {
      if (signal.aborted) return this.letGo(claimed);
      this.options.log.error(
        error instanceof Error ? (error.stack ?? error.message) : String(error),
        `task ${key.taskId}`,
      );
      return this.fail(claimed, texts.failed, signal);
    }
    if (await queue.finish(claimed, result)) return this.resume(claimed, result, signal);
    await this.letGo(claimed);
  }

  /** It came back too often, or is void since it was claimed. */
  private async failUnknown(claimed: ClaimedWork, signal: AbortSignal): Promise<void> {
    const { log, passing = defaultPassing } = this.options;
    const { key, epoch, name } = claimed;
    if (epoch < passing.mostClaims) return this.letGo(claimed);
    log.error(
      `no process of the application knows the work ${name}: it has been claimed ${epoch} times`,
      `task ${key.taskId}`,
    );
    await this.fail(claimed, texts.failed, signal);
  }

  /** What was told to end has ended. Where this process is to, another finds the work once the lease is over. */
  private async letGo(claimed: ClaimedWork): Promise<void> {
    const { lease, queue, tasks } = this.options;
    const { key } = claimed;
    if (this.stopped.signal.aborted || !(await queue.remove(claimed))) return;
    // Whoever cancels waits for this; where it has gone, nobody else would.
    if ((await tasks.read(key))?.isCancelAsked !== true) return;
    const taken = await tasks.takeOver(key, lease);
    if (taken !== undefined) await endTask(this.options, key, { epoch: taken, state: TaskState.TASK_STATE_CANCELED });
  }

  private async resume(claimed: ClaimedWork, result: Json, signal: AbortSignal): Promise<void> {
    const taken = await this.takeTask(claimed, signal);
    if (taken === undefined) return;
    const { queue, runs, tasks } = this.options;
    const { key, name, state, askedBy, stage } = claimed;
    // First: from here on the turn is the task's, and whoever finds it abandoned resumes nothing.
    if (!(await queue.remove(claimed))) return this.giveBack(key, taken);
    const stored = await tasks.read(key);
    if (stored === undefined) return;
    if (stored.isCancelAsked) await endTask(this.options, key, { epoch: taken, state: TaskState.TASK_STATE_CANCELED });
    else runs.resume({ name, state, result, askedBy, isLate: stage === 'late' }, stored, key, taken);
  }

  private async fail(claimed: ClaimedWork, text: string, signal: AbortSignal): Promise<void> {
    const taken = await this.takeTask(claimed, signal);
    if (taken === undefined) return;
    if (!(await this.options.queue.remove(claimed))) return this.giveBack(claimed.key, taken);
    await endTask(this.options, claimed.key, { epoch: taken, state: TaskState.TASK_STATE_FAILED, text });
  }

  /**
   * The work is another's by now, and so is what follows. A message that came to this process meanwhile would wait for ever:
   * nobody else has it.
   */
  private async giveBack(key: TaskKey, epoch: number): Promise<void> {
    const { tasks } = this.options;
    for (;;) {
      const version = (await tasks.read(key))?.version ?? 0;
      const [last] = await tasks.eventsAfter(key, version - 1);
      if (last?.type === 'messageReceived') {
        await endTask(this.options, key, { epoch, state: TaskState.TASK_STATE_FAILED, text: texts.abandoned });
        return;
      }
      const answer = await tasks.append(key, { epoch, version }, [], 'release');
      if (!('refused' in answer) || answer.refused !== 'overtaken') return;
    }
  }

  /** The task's epoch; undefined where it is over. The turn that asked for the work may be about to let go. */
  private async takeTask(claimed: ClaimedWork, signal: AbortSignal): Promise<number | undefined> {
    const { lease, tasks } = this.options;
    const { key } = claimed;
    const watch = tasks.watch(key);
    const waiting = new AbortController();
    try {
      return await linked(signal, waiting, async () => {
        while (!signal.aborted) {
          const taken = await tasks.takeOver(key, lease);
          if (taken !== undefined) return taken;
          const stored = await tasks.read(key);
          if (stored === undefined || isOver(stateOf(stored.task))) break;
          await watch.next(waiting.signal);
        }
        await this.letGo(claimed);
        return undefined;
      });
    } finally {
      watch.close();
    }
  }
}
