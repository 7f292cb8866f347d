// Where what a turn says goes: kept here while the caller may yet be answered with a Message, in the store once there is a
// Task. It must never write for a run that is another's by now.
import type { Message, Task } from '@a2a-js/sdk';
import type { CarriedReminder } from '../reminders/carried-reminders.ts';
import type { TaskEvent } from '../task/task-event.ts';
import { foldTask } from '../task/task-life.ts';
import type { Lease, Once, TaskKey, TaskStore } from '../store/task-store.ts';

/** The turn is over: canceled, taken over, or ended. Handlers let it through. */
export class TurnOverError extends Error {
  override readonly name = 'TurnOverError';
  readonly retryable = false;
}

/** The caller's key is known: what it asks for is another task, or another's request. */
export class KnownOnceError extends Error {
  override readonly name = 'KnownOnceError';
  readonly retryable = false;

  constructor(readonly known: { readonly taskId: string; readonly requestHash: string }) {
    super('the task is known by its key');
  }
}

export interface WriterOptions {
  readonly tasks: TaskStore;
  readonly key: TaskKey;
  readonly contextId: string;
  readonly lease: Lease;
  readonly once?: Once;
  /** Told when the store no longer takes what this run says. */
  readonly onLost: () => void;
}

export class TaskWriter {
  private readonly kept: TaskEvent[] = [];
  private epoch: number | undefined;
  private isGivenUp = false;
  private last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly options: WriterOptions,
    kept: readonly TaskEvent[],
    epoch: number | undefined,
  ) {
    this.kept.push(...kept);
    this.epoch = epoch;
  }

  /** Of a new message; there is no task yet. */
  static begin(
    options: WriterOptions,
    message: Message,
    reminders: readonly CarriedReminder[],
    at: string,
  ): TaskWriter {
    const submitted = { type: 'submitted', at, message, ...(reminders.length > 0 && { reminders }) } as const;
    return new TaskWriter(options, [submitted], undefined);
  }

  /** Of a task whose run is this one's. */
  static goOn(options: WriterOptions, epoch: number): TaskWriter {
    return new TaskWriter(options, [], epoch);
  }

  get isTracked(): boolean {
    return this.epoch !== undefined;
  }

  /** One after the other, whether or not the handler waits. Throws `TurnOverError` where the run is over. */
  write(events: readonly TaskEvent[], then?: 'release'): Promise<void> {
    return this.inTurn(() => this.append(events, then));
  }

  /** From here on there is a Task. Throws `KnownOnceError`. */
  track(): Promise<void> {
    return this.inTurn(() => this.create());
  }

  /** Where there is no Task yet there will be none, and `then` is told so. */
  giveUp(then: () => void): Promise<void> {
    return this.inTurn(async () => {
      if (this.epoch !== undefined) return;
      this.isGivenUp = true;
      then();
    });
  }

  /** What there would be, had anybody asked for a Task. */
  untracked(): Promise<Task> {
    return this.inTurn(async () => {
      const { key, contextId } = this.options;
      const task = foldTask(undefined, this.kept, { taskId: key.taskId, contextId });
      if (task === undefined) throw new Error('a turn begins with a message');
      return task;
    });
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }

  private async create(): Promise<void> {
    if (this.epoch !== undefined) return;
    if (this.isGivenUp) throw new TurnOverError('nobody waits for the answer any more');
    const { tasks, key, contextId, lease, once } = this.options;
    const created = await tasks.create({ key, contextId, events: this.kept, lease, ...(once && { once }) });
    if ('known' in created) throw new KnownOnceError(created.known);
    this.epoch = created.epoch;
    this.kept.length = 0;
  }

  private async append(events: readonly TaskEvent[], then: 'release' | undefined): Promise<void> {
    if (this.epoch === undefined) {
      // Nobody follows: what is of no consequence is told to nobody.
      this.kept.push(...events.filter(({ type }) => type !== 'progressReported'));
      return;
    }
    const { tasks, key, onLost } = this.options;
    const answer = await tasks.append(key, { epoch: this.epoch }, events, then);
    if (!('refused' in answer)) return;
    onLost();
    throw new TurnOverError(`the task takes nothing more of this run: ${answer.refused}`);
  }
}
