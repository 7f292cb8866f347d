// One turn of a handler, from its beginning to what became of it in the store.
// It must never write an outcome of a run that is canceled or another's, nor tell callers what a handler threw.
import { type Task, TaskState } from '@a2a-js/sdk';
import type { Outcome, TurnAnswer } from '#agent-handler';
import type { LoggerService } from '@nestjs/common';
import type { NewWork } from '../work/work-queue.ts';
import type { TaskKey } from '../store/task-store.ts';
import { type Interaction, isTracked, whenTaskExists } from '../task/when-task-exists.ts';
import { checkOutcome } from './check-outcome.ts';
import { CannotAskError, type HostTurn } from './host-turn.ts';
import type { TurnReminders } from './turn-reminders.ts';
import type { TurnWait } from './turn-wait.ts';
import { KnownOnceError, type TaskWriter, TurnOverError } from './task-writer.ts';

/** Why a run is told to end; `gone`: its caller has left, and there is no Task that could have the answer. */
export type RunEnd = 'canceled' | 'lost' | 'stopping' | 'gone';

/** Where a run has come to rest: answered with a Message, or with a Task that is over or waits. */
export type Rest = { readonly came: 'message'; readonly task: Task } | { readonly came: 'task' };

export interface RunParts {
  readonly key: TaskKey;
  readonly interaction: Interaction;
  readonly writer: TaskWriter;
  readonly reminders: TurnReminders;
  readonly wait: TurnWait;
  readonly controller: AbortController;
  /** Is the task over, whoever has ended it? */
  readonly isOver: () => Promise<boolean>;
  /** The work that the handler has. */
  readonly workNames: readonly string[];
  /** Keeps work; absent where the host was given nowhere to keep it. */
  readonly enqueue?: (work: Omit<NewWork, 'askedBy'>) => Promise<void>;
  readonly log: LoggerService;
}

const texts = {
  failed: 'The agent could not finish this.',
  stopped: 'The agent was stopped before it had finished this.',
  cannotAsk: 'The agent needs input that the process which resumed this cannot take.',
  noQueue: 'The agent asked for queued work, and none is kept here.',
};

type Waiting = Extract<Outcome, { readonly outcome: 'waiting' }>;

export class Run {
  readonly key: TaskKey;
  /** Resolves once there is a Task; rejects with `KnownOnceError`. Never, where the answer is a Message. */
  readonly tracked: Promise<void>;
  /** Resolves at the first rest: an answer, an end, or a question. */
  readonly rest: Promise<Rest>;
  /** Resolves once the handler is over and its outcome written. */
  done: Promise<void> = Promise.resolve();
  private end: RunEnd | undefined;
  private resolveTracked: () => void = () => undefined;
  private rejectTracked: (error: unknown) => void = () => undefined;
  private resolveRest: (rest: Rest) => void = () => undefined;

  constructor(private readonly parts: RunParts) {
    this.key = parts.key;
    this.tracked = new Promise((resolve, reject) => ([this.resolveTracked, this.rejectTracked] = [resolve, reject]));
    this.tracked.catch(() => undefined);
    this.rest = new Promise((resolve) => (this.resolveRest = resolve));
  }

  get isTracked(): boolean {
    return this.parts.writer.isTracked;
  }

  /** The handler is told by its signal; the first reason counts. */
  abort(end: RunEnd): void {
    this.end ??= end;
    this.parts.controller.abort(new TurnOverError(`the turn is over: ${end}`));
  }

  /** Its caller has left. Where there is a Task the run goes on. */
  async leave(): Promise<void> {
    await this.parts.writer.giveUp(() => this.abort('gone'));
  }

  asked(): void {
    this.resolveRest({ came: 'task' });
  }

  start(turn: HostTurn, call: () => TurnAnswer, isOnce = false): void {
    this.done = this.perform(turn, call, isOnce).finally(() => this.resolveRest({ came: 'task' }));
  }

  private async perform(turn: HostTurn, call: () => TurnAnswer, isOnce: boolean): Promise<void> {
    const { writer, interaction, reminders, workNames } = this.parts;
    try {
      if (isOnce || isTracked(interaction, 'begun')) await writer.track();
      if (writer.isTracked) this.resolveTracked();
      await writer.write([turn.statusOf(TaskState.TASK_STATE_WORKING)]);
      await reminders.begin();
      const outcome = checkOutcome(await call(), workNames);
      await turn.end();
      if (this.end === undefined) await this.settle(turn, outcome);
      else await this.settleEnded(turn);
    } catch (error) {
      if (error instanceof KnownOnceError) this.rejectTracked(error);
      else await this.settleThrown(turn, error);
    } finally {
      await reminders.end().catch((fault: unknown) => void this.parts.log.warn(String(fault), 'AgentHost'));
    }
  }

  private async settle(turn: HostTurn, outcome: Outcome | undefined): Promise<void> {
    const { writer, interaction } = this.parts;
    if (outcome?.outcome === 'waiting') return this.wait(turn, outcome);
    await this.parts.wait.giveUp();
    switch (outcome?.outcome) {
      case undefined:
      case 'completed': {
        const completed = turn.statusOf(TaskState.TASK_STATE_COMPLETED, outcome?.message);
        await writer.write([completed]);
        if (writer.isTracked || whenTaskExists(interaction, 'finished') !== 'message') return;
        await this.parts.reminders.end();
        this.resolveRest({ came: 'message', task: await writer.untracked() });
        return;
      }
      case 'inputRequired':
        await this.track();
        return writer.write([turn.statusOf(TaskState.TASK_STATE_INPUT_REQUIRED, outcome.message, outcome)], 'release');
      case 'rejected':
        return this.conclude(turn, TaskState.TASK_STATE_REJECTED, outcome.message);
      case 'failed':
        return this.conclude(turn, TaskState.TASK_STATE_FAILED, outcome.message);
    }
  }

  private async wait(turn: HostTurn, outcome: Waiting): Promise<void> {
    const { enqueue, wait, writer } = this.parts;
    const { state = null } = outcome;
    if ('wait' in outcome) await wait.waitFor(outcome.wait, state);
    else {
      await wait.giveUp();
      if (enqueue === undefined) return this.conclude(turn, TaskState.TASK_STATE_FAILED, texts.noQueue);
      await this.track();
      await enqueue({ name: outcome.work, payload: outcome.payload, state });
    }
    await writer.write([], 'release');
    // Another may have ended the task before there was anything to give up.
    if (await this.parts.isOver()) await wait.giveUp();
  }

  private async settleEnded(turn: HostTurn): Promise<void> {
    // Another's run may have opened another wait; where the task is over, there is none.
    if (this.end !== 'lost' || (await this.parts.isOver())) await this.parts.wait.giveUp();
    if (this.end === 'canceled') await this.conclude(turn, TaskState.TASK_STATE_CANCELED);
    if (this.end === 'stopping') await this.conclude(turn, TaskState.TASK_STATE_FAILED, texts.stopped);
  }

  private async settleThrown(turn: HostTurn, error: unknown): Promise<void> {
    const { log, key } = this.parts;
    try {
      if (this.end !== undefined) {
        await this.settleEnded(turn);
        return;
      }
      log.error(error instanceof Error ? (error.stack ?? error.message) : String(error), `task ${key.taskId}`);
      await this.parts.wait.giveUp();
      const text = error instanceof CannotAskError ? texts.cannotAsk : texts.failed;
      await this.conclude(turn, TaskState.TASK_STATE_FAILED, text);
    } catch (fault) {
      // The store is away, or the run another's: the lease ends, and whoever finds it says so.
      log.warn(String(fault), `task ${key.taskId}`);
      this.rejectTracked(fault);
    }
  }

  private async conclude(turn: HostTurn, state: TaskState, said?: Parameters<HostTurn['statusOf']>[1]): Promise<void> {
    await this.track();
    await this.parts.writer.write([turn.statusOf(state, said)]);
  }

  private async track(): Promise<void> {
    await this.parts.writer.track();
    this.resolveTracked();
  }
}
