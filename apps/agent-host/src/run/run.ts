// One turn of a handler, from its beginning to what became of it in the store.
// It must never write an outcome of a run that is canceled or another's, nor tell callers what a handler threw.
import { type Task, TaskState } from '@a2a-js/sdk';
import type { Outcome, TurnAnswer } from '#agent-handler';
import type { LoggerService } from '@nestjs/common';
import type { NewWork } from '../work/work-queue.ts';
import type { TaskKey } from '../store/task-store.ts';
import { type Interaction, isTracked, whenTaskExists } from '../task/when-task-exists.ts';
import { CannotAskError, type HostTurn } from './host-turn.ts';
import type { TurnReminders } from './turn-reminders.ts';
import { KnownOnceError, type TaskWriter, TurnOverError } from './task-writer.ts';

/** Why a run is told to end. */
export type RunEnd = 'canceled' | 'lost' | 'stopping';

/** Where a run has come to rest: answered with a Message, or with a Task that is over or waits. */
export type Rest = { readonly came: 'message'; readonly task: Task } | { readonly came: 'task' };

export interface RunParts {
  readonly key: TaskKey;
  readonly interaction: Interaction;
  readonly writer: TaskWriter;
  readonly reminders: TurnReminders;
  readonly controller: AbortController;
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

  asked(): void {
    this.resolveRest({ came: 'task' });
  }

  start(turn: HostTurn, call: () => TurnAnswer, isOnce = false): void {
    this.done = this.perform(turn, call, isOnce).finally(() => this.resolveRest({ came: 'task' }));
  }

  private async perform(turn: HostTurn, call: () => TurnAnswer, isOnce: boolean): Promise<void> {
    const { writer, interaction, reminders } = this.parts;
    try {
      if (isOnce || isTracked(interaction, 'begun')) await writer.track();
      if (writer.isTracked) this.resolveTracked();
      await writer.write([turn.statusOf(TaskState.TASK_STATE_WORKING)]);
      await reminders.begin();
      const outcome = (await call()) ?? undefined;
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
      case 'waiting': {
        if (this.parts.enqueue === undefined) return this.conclude(turn, TaskState.TASK_STATE_FAILED, texts.noQueue);
        await this.track();
        const { work: name, payload, state = null } = outcome;
        await this.parts.enqueue({ name, payload, state });
        return writer.write([], 'release');
      }
    }
  }

  private async settleEnded(turn: HostTurn): Promise<void> {
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
