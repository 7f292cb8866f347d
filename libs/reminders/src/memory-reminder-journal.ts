// The journal within one process, beside tasks that are kept in memory too.
import type { ContextName, ReminderJournal } from './journal.ts';
import type { Event } from './life-cycle/event.ts';
import { fold } from './life-cycle/evolve.ts';
import { initialState, isOver, type State } from './life-cycle/state.ts';

/** What is appended and not committed, by context. */
export type MemoryTransaction = Map<string, State>;

/** Without a transaction what is appended counts at once: its user then takes one input after another by itself. */
export class MemoryReminderJournal implements ReminderJournal<MemoryTransaction | undefined> {
  private readonly states = new Map<string, State>();
  private last: Promise<unknown> = Promise.resolve();

  /** One work after another; what it appends counts once it resolves, and not where it rejects. */
  within<Result>(work: (transaction: MemoryTransaction) => Promise<Result>): Promise<Result> {
    const done = this.last.then(async () => {
      const transaction: MemoryTransaction = new Map();
      const result = await work(transaction);
      for (const [key, state] of transaction) this.keep(key, state);
      return result;
    });
    this.last = done.catch(() => undefined);
    return done;
  }

  async load(transaction: MemoryTransaction | undefined, context: ContextName): Promise<State> {
    const key = keyOf(context);
    return transaction?.get(key) ?? this.states.get(key) ?? initialState(context.contextId);
  }

  async append(
    transaction: MemoryTransaction | undefined,
    context: ContextName,
    events: readonly Event[],
  ): Promise<void> {
    const after = fold(await this.load(transaction, context), events);
    if (transaction === undefined) this.keep(keyOf(context), after);
    else transaction.set(keyOf(context), after);
  }

  /** How many contexts are remembered. */
  get contextsCount(): number {
    return this.states.size;
  }

  private keep(key: string, state: State): void {
    if (isOver(state)) this.states.delete(key);
    else this.states.set(key, state);
  }
}

function keyOf({ owner, contextId }: ContextName): string {
  return JSON.stringify([owner, contextId]);
}
