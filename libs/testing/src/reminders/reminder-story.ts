// A context's reminders as a story: each act is one input, and answers with what a host would see of it. After each the
// state must be what the events fold to, read back as JSON.
import {
  defaultBounds,
  type Event,
  fold,
  initialState,
  type InjectAnswer,
  type Input,
  type Refusal,
  type ReminderBounds,
  type State,
  step,
  type Stepped,
  readInject,
  toldInTurn,
} from '#reminders';
import { t } from '../ledger/events.ts';

/** Who is told what: `task id when`; and of streams: `task id`, with the reason behind it where there is one. */
export interface Seen {
  readonly told: readonly string[];
  readonly updates: readonly string[];
}

export class ReminderStory {
  state: State = initialState('context');
  private readonly bounds: Partial<ReminderBounds>;
  private seconds = 0;

  /** The bounds that are not those by default. */
  constructor(bounds: Partial<ReminderBounds> = {}) {
    this.bounds = bounds;
  }

  open(taskId: string): Seen {
    return this.take({ type: 'taskOpened', at: this.now(), taskId });
  }

  begin(taskId: string, turnId?: string, toldIds?: readonly string[]): Seen {
    const at = this.now();
    return this.take({
      ...{ type: 'turnBegan', at, taskId, turnId: turnId ?? `turn at ${at}` },
      ...(toldIds && { toldIds }),
    });
  }

  pass(taskId: string): Seen {
    return this.take({ type: 'stepBoundaryReached', at: this.now(), taskId });
  }

  end(taskId: string): Seen {
    return this.take({ type: 'turnEnded', at: this.now(), taskId });
  }

  finish(taskId: string): Seen {
    return this.take({ type: 'taskEnded', at: this.now(), taskId });
  }

  carry(taskId: string, ...reminderIds: readonly string[]): Seen {
    const reminders = reminderIds.map((reminderId) => ({ taskId, reminderId }));
    return this.take({ type: 'remindersCarried', at: this.now(), taskId, reminders });
  }

  compact(): Seen {
    return this.take({ type: 'contextCompacted', at: this.now() });
  }

  /** A whole turn: what it was told at its beginning, and what its end told the streams. */
  turn(taskId: string): Seen {
    const { told } = this.begin(taskId);
    return { told, updates: this.end(taskId).updates };
  }

  /** What the task's running turn has in its context, as the reminders' ids. */
  has(taskId: string): readonly string[] {
    return toldInTurn(this.state, taskId).map(({ id }) => id);
  }

  /** Takes a reminder that must be accepted; `id` is its body, too, where it gives none. */
  inject(taskId: string, reminder: Record<string, unknown>): Seen & { readonly answer: InjectAnswer } {
    const taken = this.ask(taskId, { body: reminder['id'] ?? 'a word', ...reminder });
    if ('refusal' in taken) throw new Error(`refused: ${JSON.stringify(taken.refusal)}`);
    return taken;
  }

  /** Asks for a reminder as it is. */
  ask(
    taskId: string,
    reminder: unknown,
    isTerminal = false,
  ): (Seen & { readonly answer: InjectAnswer }) | { readonly refusal: Refusal } {
    const at = this.now();
    const read = readInject({ taskId, reminder });
    if ('refusal' in read) return read;
    const bounds = { ...defaultBounds, ...this.bounds };
    const input = { type: 'reminderInjected', at, newId: `made at ${at}`, isTerminal, ...read } as const;
    const stepped = step(this.state, input, bounds);
    if ('refusal' in stepped) return stepped;
    return { ...this.follow(stepped), answer: stepped.answer };
  }

  private take(input: Exclude<Input, { type: 'reminderInjected' }>): Seen {
    return this.follow(step(this.state, input));
  }

  private follow({ state, events, told, updates }: Stepped): Seen {
    const stored = JSON.parse(JSON.stringify({ before: this.state, events })) as { before: State; events: Event[] };
    expect(fold(stored.before, stored.events)).toEqual(state);
    this.state = state;
    return {
      told: told.flatMap(({ taskId, when, reminders }) => reminders.map(({ id }) => `${taskId} ${id} ${when}`)),
      updates: updates.map(({ taskId, reminder, reason }) => [taskId, reminder.id, reason].join(' ').trim()),
    };
  }

  private now(): string {
    this.seconds += 1;
    return t(this.seconds);
  }
}
