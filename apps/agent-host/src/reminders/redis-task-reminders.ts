// The reminders of tasks in Redis: a context's state, and what its tasks' subscribers are told, in one step.
import type { InjectAnswer, InjectRequest, Input, Refused, ReminderBounds, State } from '#reminders';
import type { HostRedis } from '../redis/host-redis.ts';
import { taskKey } from '../redis/redis-keys.ts';
import type { RedisStep } from '../redis/redis-step.ts';
import { stateIn, writeEvents } from '../store/redis-task-row.ts';
import type { TaskKey, TaskWatch } from '../store/task-store.ts';
import { isOver } from '../task/task-state.ts';
import { injectInputs, unknownTask } from './inject-inputs.ts';
import { RedisReminderJournal } from './redis-reminder-journal.ts';
import { byTask, type Reminded, type RemindedTask, takeInputs } from './remind.ts';
import { type ContextKey, contextNameOf, runOf, type TaskReminders } from './task-reminders.ts';

export class RedisTaskReminders implements TaskReminders {
  constructor(
    private readonly redis: HostRedis,
    readonly bounds: ReminderBounds,
  ) {}

  inject(key: TaskKey, request: InjectRequest, at: string, newId: string): Promise<InjectAnswer | Refused> {
    return this.redis.inStep(async (step) => {
      const task = await step.read(taskKey(key), ['context', 'state']);
      if (task.context === null) return unknownTask;
      const context = { application: key.application, user: key.user, contextId: task.context };
      const inputs = injectInputs(key.taskId, isOver(stateIn(task.state)), request, at, newId);
      const reminded = takeInputs(await this.load(step, context), inputs, this.bounds);
      await this.keep(step, context, reminded, at);
      return reminded.answers[0] ?? unknownTask;
    });
  }

  look(context: ContextKey): Promise<State> {
    return this.redis.inStep((step) => journalOf(context).look(step, contextNameOf(context)));
  }

  take(context: ContextKey, inputs: readonly Input[]): Promise<State> {
    return this.redis.inStep(async (step) => {
      const reminded = takeInputs(await this.load(step, context), inputs, this.bounds);
      await this.keep(step, context, reminded, inputs[0]?.at ?? '');
      return reminded.after;
    });
  }

  watch(key: TaskKey): TaskWatch {
    return this.redis.watch(runOf(key));
  }

  /** It must still be so when the step is written. */
  load(step: RedisStep, context: ContextKey): Promise<State> {
    return journalOf(context).load(step, contextNameOf(context));
  }

  /** What a task's own events meant; the task itself is its store's to write. */
  keepOf(step: RedisStep, context: ContextKey, reminded: RemindedTask, at: string): Promise<void> {
    return this.keep(step, context, { ...reminded, updates: reminded.others, answers: [] }, at);
  }

  private async keep(step: RedisStep, context: ContextKey, reminded: Reminded, at: string): Promise<void> {
    await journalOf(context).append(step, contextNameOf(context), reminded.events, reminded.after);
    const toKey = (taskId: string): TaskKey => ({ application: context.application, user: context.user, taskId });
    for (const [taskId, events] of byTask(reminded.updates, at)) {
      const key = toKey(taskId);
      // A run that is no task has no subscribers.
      if ((await step.look(taskKey(key), ['version'])).version === null) continue;
      step.write('HINCRBY', taskKey(key), 'version', events.length);
      writeEvents(step, key, events);
    }
    for (const taskId of reminded.interrupted) step.tell(runOf(toKey(taskId)));
  }
}

function journalOf({ application }: ContextKey): RedisReminderJournal {
  return new RedisReminderJournal(application);
}
