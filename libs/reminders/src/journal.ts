// Where a context's journal is kept. Its user gives its own transaction, the one that owns the task, so that a task and
// its reminders are never of two minds.
import type { Event } from './life-cycle/event.ts';
import { fold } from './life-cycle/evolve.ts';
import { initialState, isOver, type State } from './life-cycle/state.ts';

/** A context of one owner: who asks for another's gets an empty one. */
export interface ContextName {
  /** Application and user, as the store scopes its tasks. */
  readonly owner: string;
  readonly contextId: string;
}

export interface ReminderJournal<Transaction> {
  /** The state as of now; the context is locked against others until the transaction ends. */
  readonly load: (transaction: Transaction, context: ContextName) => Promise<State>;
  /**
   * Appends what was decided of the state just loaded; `after` is what they fold to, to be kept as a snapshot or not.
   * Where `isOver(after)`, everything of the context may be deleted.
   */
  readonly append: (
    transaction: Transaction,
    context: ContextName,
    events: readonly Event[],
    after: State,
  ) => Promise<void>;
}

/** A journal within one process, for the memory store: whoever uses it takes its inputs one after another. */
export class MemoryReminderJournal implements ReminderJournal<unknown> {
  private readonly states = new Map<string, State>();

  async load(_transaction: unknown, context: ContextName): Promise<State> {
    return this.states.get(keyOf(context)) ?? initialState(context.contextId);
  }

  async append(_transaction: unknown, context: ContextName, events: readonly Event[]): Promise<void> {
    const after = fold(await this.load(_transaction, context), events);
    if (isOver(after)) this.states.delete(keyOf(context));
    else this.states.set(keyOf(context), after);
  }

  /** How many contexts are remembered. */
  get contextsCount(): number {
    return this.states.size;
  }
}

function keyOf({ owner, contextId }: ContextName): string {
  return JSON.stringify([owner, contextId]);
}
