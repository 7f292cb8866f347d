// The reminders of tasks in PostgreSQL: a context's state, and what its tasks' subscribers are told, in one transaction.
import type { TaskState } from '@a2a-js/sdk';
import type { DataSource, EntityManager } from 'typeorm';
import type { InjectAnswer, InjectRequest, Input, Refused, ReminderBounds, State } from '#reminders';
import { withStorage } from '#runtime';
import type { HostNotifications } from '../store/host-notifications.ts';
import { isKey, keyOf, lockTasks, tellTasks } from '../store/insert-events.ts';
import type { TaskKey, TaskWatch } from '../store/task-store.ts';
import { isOver } from '../task/task-state.ts';
import { PostgresReminderJournal } from './postgres-reminder-journal.ts';
import { byTask, type Reminded, type RemindedTask, takeInputs } from './remind.ts';
import { injectInputs, unknownTask } from './inject-inputs.ts';
import { type ContextKey, contextNameOf, runOf, type TaskReminders } from './task-reminders.ts';

/** Whom to wake once it is committed. */
export interface ToWake {
  readonly followers: readonly TaskKey[];
  readonly runs: readonly TaskKey[];
}

export class PostgresTaskReminders implements TaskReminders {
  private readonly journal = new PostgresReminderJournal();

  constructor(
    private readonly database: DataSource,
    private readonly notifications: HostNotifications,
    readonly bounds: ReminderBounds,
  ) {}

  async inject(key: TaskKey, request: InjectRequest, at: string, newId: string): Promise<InjectAnswer | Refused> {
    return this.transact(async (manager) => {
      const contextId = await this.contextOf(manager, key);
      if (contextId === undefined) return { answer: unknownTask };
      const context = { application: key.application, user: key.user, contextId };
      const before = await this.lock(manager, context, [key.taskId]);
      const [row] = await manager.query<{ state: TaskState }[]>(
        `SELECT state FROM duewatch_host.task WHERE ${isKey}`,
        keyOf(key),
      );
      if (row === undefined) return { answer: unknownTask };
      const inputs = injectInputs(key.taskId, isOver(row.state), request, at, newId);
      const reminded = takeInputs(before, inputs, this.bounds);
      const wake = await this.keep(manager, context, reminded, at);
      return { answer: reminded.answers[0] ?? unknownTask, wake };
    });
  }

  look(context: ContextKey): Promise<State> {
    return withStorage(this.journal.look(this.database.manager, contextNameOf(context)));
  }

  take(context: ContextKey, inputs: readonly Input[]): Promise<State> {
    return this.transact(async (manager) => {
      const before = await this.lock(manager, context);
      const reminded = takeInputs(before, inputs, this.bounds);
      const wake = await this.keep(manager, context, reminded, inputs[0]?.at ?? '');
      return { answer: reminded.after, wake };
    });
  }

  watch(key: TaskKey): TaskWatch {
    return this.notifications.watch(runOf(key));
  }

  /** Of a task that is there; undefined otherwise. A task never changes its context. */
  async contextOf(manager: EntityManager, key: TaskKey): Promise<string | undefined> {
    const [row] = await manager.query<{ context_id: string }[]>(
      `SELECT context_id FROM duewatch_host.task WHERE ${isKey}`,
      keyOf(key),
    );
    return row?.context_id;
  }

  /** The context, and then those of its tasks that may be told something, these included. */
  async lock(manager: EntityManager, context: ContextKey, taskIds: readonly string[] = []): Promise<State> {
    const state = await this.journal.load(manager, contextNameOf(context));
    await lockTasks(manager, context, [...state.tasks.map(({ taskId }) => taskId), ...taskIds]);
    return state;
  }

  /** What a task's own events meant; the task's row is its store's to write. */
  async keepOf(manager: EntityManager, context: ContextKey, reminded: RemindedTask, at: string): Promise<ToWake> {
    return this.keep(manager, context, { ...reminded, updates: reminded.others, answers: [] }, at);
  }

  /** After the commit. */
  wake({ followers, runs }: ToWake): void {
    for (const key of followers) this.notifications.tell(key);
    for (const key of runs) this.notifications.tell(runOf(key));
  }

  private async keep(manager: EntityManager, context: ContextKey, reminded: Reminded, at: string): Promise<ToWake> {
    const { application, user } = context;
    await this.journal.append(manager, contextNameOf(context), reminded.events, reminded.after);
    const told = byTask(reminded.updates, at);
    await tellTasks(manager, context, told);
    const toKey = (taskId: string): TaskKey => ({ application, user, taskId });
    return { followers: told.map(([taskId]) => toKey(taskId)), runs: reminded.interrupted.map(toKey) };
  }

  private async transact<T>(
    work: (manager: EntityManager) => Promise<{ readonly answer: T; readonly wake?: ToWake }>,
  ): Promise<T> {
    const { answer, wake } = await withStorage(this.database.transaction(work));
    if (wake !== undefined) this.wake(wake);
    return answer;
  }
}
