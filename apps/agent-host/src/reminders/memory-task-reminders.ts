// The reminders of tasks in memory, in the one process that has them.
import {
  type InjectAnswer,
  type InjectRequest,
  type Input,
  MemoryReminderJournal,
  type MemoryTransaction,
  type Refused,
  type ReminderBounds,
  type State,
} from '#reminders';
import type { TaskSignals } from '../store/task-signals.ts';
import type { TaskKey, TaskWatch } from '../store/task-store.ts';
import type { TaskEvent } from '../task/task-event.ts';
import { injectInputs, unknownTask } from './inject-inputs.ts';
import { byTask, type Reminded, type RemindedTask, takeInputs } from './remind.ts';
import { type ContextKey, contextNameOf, runOf, type TaskReminders } from './task-reminders.ts';

/** What of the store's tasks is asked for. */
export interface RemindedTasks {
  find(key: TaskKey): { readonly contextId: string; readonly isOver: boolean } | undefined;
  /** Events of no consequence to the task; nothing where there is none. */
  tell(key: TaskKey, events: readonly TaskEvent[]): void;
}

export class MemoryTaskReminders implements TaskReminders {
  private readonly journal = new MemoryReminderJournal();

  constructor(
    private readonly tasks: RemindedTasks,
    private readonly signals: TaskSignals,
    readonly bounds: ReminderBounds,
  ) {}

  inject(key: TaskKey, request: InjectRequest, at: string, newId: string): Promise<InjectAnswer | Refused> {
    const contextId = this.tasks.find(key)?.contextId;
    if (contextId === undefined) return Promise.resolve(unknownTask);
    return this.within({ application: key.application, user: key.user, contextId }, at, (before) => {
      const isOver = this.tasks.find(key)?.isOver !== false;
      const inputs = injectInputs(key.taskId, isOver, request, at, newId);
      const reminded = takeInputs(before, inputs, this.bounds);
      return { reminded, answer: reminded.answers[0] ?? unknownTask };
    });
  }

  look(context: ContextKey): Promise<State> {
    return this.journal.load(undefined, contextNameOf(context));
  }

  take(context: ContextKey, inputs: readonly Input[]): Promise<State> {
    return this.within(context, inputs[0]?.at ?? '', (before) => {
      const reminded = takeInputs(before, inputs, this.bounds);
      return { reminded, answer: reminded.after };
    });
  }

  watch(key: TaskKey): TaskWatch {
    return this.signals.watch(runOf(key));
  }

  /** The store's own change of a task, and what it means here: both, or, where the work answers without, neither. */
  withTask<T>(
    context: ContextKey,
    at: string,
    work: (before: State) => { readonly reminded?: RemindedTask; readonly answer: T },
  ): Promise<T> {
    return this.within(context, at, (before) => {
      const { reminded, answer } = work(before);
      return { answer, ...(reminded && { reminded: { ...reminded, updates: reminded.others, answers: [] } }) };
    });
  }

  private within<T>(
    context: ContextKey,
    at: string,
    work: (before: State) => { readonly reminded?: Reminded; readonly answer: T },
  ): Promise<T> {
    return this.journal.within(async (transaction: MemoryTransaction) => {
      const name = contextNameOf(context);
      const { reminded, answer } = work(await this.journal.load(transaction, name));
      if (reminded === undefined) return answer;
      await this.journal.append(transaction, name, reminded.events);
      const toKey = (taskId: string): TaskKey => ({ application: context.application, user: context.user, taskId });
      for (const [taskId, events] of byTask(reminded.updates, at)) this.tasks.tell(toKey(taskId), events);
      for (const taskId of reminded.interrupted) this.signals.tell(runOf(toKey(taskId)));
      return answer;
    });
  }
}
