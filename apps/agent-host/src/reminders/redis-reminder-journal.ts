// The reminders' journal beside the tasks in Redis: of each context what its events fold to. What was loaded must still be so
// when the step is written: of two that decide of one state, one decides again.
import { type ContextName, type Event, initialState, isOver, type ReminderJournal, type State } from '#reminders';
import { newId } from '#runtime';
import { contextKey } from '../redis/redis-keys.ts';
import type { RedisStep } from '../redis/redis-step.ts';

export class RedisReminderJournal implements ReminderJournal<RedisStep> {
  constructor(private readonly application: string) {}

  async load(step: RedisStep, context: ContextName): Promise<State> {
    const key = contextKey(this.application, context);
    // The mark is another with each write, so that nobody takes a later state for this one.
    const { mark, state } = await step.look(key, ['mark', 'state']);
    step.guard(key, 'mark', mark);
    return stateOf(context, state);
  }

  /** Whatever becomes of it. */
  async look(step: RedisStep, context: ContextName): Promise<State> {
    const { state } = await step.look(contextKey(this.application, context), ['state']);
    return stateOf(context, state);
  }

  async append(step: RedisStep, context: ContextName, events: readonly Event[], after: State): Promise<void> {
    if (events.length === 0) return;
    if (isOver(after)) this.forget(step, context);
    else step.write('HSET', contextKey(this.application, context), 'mark', newId(), 'state', JSON.stringify(after));
  }

  forget(step: RedisStep, context: ContextName): void {
    step.write('DEL', contextKey(this.application, context));
  }
}

/** Only what `append` wrote. */
function stateOf({ contextId }: ContextName, text: string | null): State {
  return text === null ? initialState(contextId) : (JSON.parse(text) as State);
}
