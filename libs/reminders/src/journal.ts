// Where a context's journal is kept. Its user gives its own transaction, the one that owns the task, so that a task and
// its reminders are never of two minds.
import type { Event } from './life-cycle/event.ts';
import type { State } from './life-cycle/state.ts';

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
