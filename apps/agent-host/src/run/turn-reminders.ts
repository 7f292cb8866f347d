// What one turn is told of reminders, from its beginning to its end, whichever process they come through. Where the card
// claims none, nothing is ever told. A turn without a Task is no part of its context's state while it runs, so that nothing is
// left where its process is killed: what it is told is decided from what is live, and counted as it ends.
import { type Input, type Reminder, renderReminders, toldInTurn } from '#reminders';
import type { Clock } from '#runtime';
import type { CarriedReminder } from '../reminders/carried-reminders.ts';
import { takeInputs } from '../reminders/remind.ts';
import { inputsOfUntracked } from '../reminders/reminder-inputs.ts';
import type { ContextKey, TaskReminders } from '../reminders/task-reminders.ts';
import type { TaskKey } from '../store/task-store.ts';

export interface TurnRemindersOptions {
  /** Absent: the card claims none. */
  readonly kept: TaskReminders | undefined;
  readonly key: TaskKey;
  readonly contextId: string;
  /** Of the message that the turn began with. */
  readonly carried: readonly CarriedReminder[];
  readonly isTracked: () => boolean;
  readonly clock: Clock;
  /** The turn's. */
  readonly signal: AbortSignal;
  /** Told where reminders cannot be read for a moment. */
  readonly report: (fault: unknown) => void;
}

export class TurnReminders {
  listed: readonly Reminder[] = [];
  private handed: readonly Reminder[] = [];
  private interrupting = new AbortController();
  private readonly over = new AbortController();
  private watching: Promise<void> | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private isBegun = false;
  private carried: readonly CarriedReminder[];

  constructor(private readonly options: TurnRemindersOptions) {
    this.carried = options.carried;
  }

  get blocks(): ReturnType<typeof renderReminders> {
    return renderReminders(this.listed);
  }

  get interrupted(): AbortSignal {
    return AbortSignal.any([this.options.signal, this.interrupting.signal]);
  }

  /** The turn is under way: what it is told from its beginning. */
  async begin(): Promise<void> {
    if (this.options.kept === undefined) return;
    this.isBegun = true;
    await this.goOn();
  }

  /** A turn begins, of a call that may have had others: a message has begun it. */
  async goOn(): Promise<void> {
    if (this.options.kept === undefined) return;
    await this.inTurn(async (kept) => this.hand(await this.toldNow(kept, () => true)));
    this.watch();
  }

  async nextStep(): Promise<readonly Reminder[]> {
    const { isTracked, key, kept: known } = this.options;
    if (known === undefined) return [];
    return this.inTurn(async (kept) => {
      if (isTracked()) {
        await kept.take(this.context, [{ type: 'stepBoundaryReached', at: this.now(), taskId: key.taskId }]);
      }
      const before = this.handed;
      this.hand(await this.toldNow(kept, ({ mode }) => mode !== 'wait_for_completion'));
      return this.listed.filter((reminder) => !isAmong(reminder, before));
    });
  }

  async compacted(): Promise<void> {
    if (this.options.kept === undefined) return;
    await this.inTurn(async (kept) => {
      await kept.take(this.context, [{ type: 'contextCompacted', at: this.now() }]);
      this.carried = this.carried.filter(({ draft }) => draft.preserveOnCompact);
      this.listed = await this.toldNow(kept, () => false);
    });
  }

  /** The turn is over. One that was no task counts here for what it was told. */
  async end(): Promise<void> {
    this.over.abort();
    await this.watching;
    const { isTracked, kept } = this.options;
    if (kept === undefined || !this.isBegun || isTracked()) return;
    this.isBegun = false;
    const isAlone = (await kept.look(this.context)).tasks.length === 0;
    // Nobody else is there who could be told of it, or be reminded.
    if (isAlone) return;
    const toldIds = this.listed.map(({ id }) => id);
    await kept.take(this.context, [...this.begun(toldIds), ...this.ended()]);
  }

  /** Until the turn's end: what interrupts comes at any time, through any process. */
  private watch(): void {
    const { kept, key, report } = this.options;
    if (kept === undefined || this.watching !== undefined) return;
    const watch = kept.watch(key);
    const isOver = (): boolean => this.over.signal.aborted;
    this.watching = (async () => {
      while (!isOver()) {
        await watch.next(this.over.signal);
        if (!isOver()) await this.inTurn(() => this.look()).catch(report);
      }
      watch.close();
    })();
  }

  private async look(): Promise<void> {
    const { kept } = this.options;
    if (kept === undefined) return;
    this.listed = await this.toldNow(kept, ({ mode }) => mode === 'interrupt_immediate');
    const isNew = this.listed.some(
      (reminder) => reminder.mode === 'interrupt_immediate' && !isAmong(reminder, this.handed),
    );
    if (isNew) this.interrupting.abort(new Error('a reminder is to be told at once: nextStep() has it'));
  }

  private hand(reminders: readonly Reminder[]): void {
    this.listed = reminders;
    this.handed = reminders;
    if (this.interrupting.signal.aborted) this.interrupting = new AbortController();
  }

  /** All that the turn has been told and that is live; without a Task, with what of the rest it is told now. */
  private async toldNow(kept: TaskReminders, isToldNow: (reminder: Reminder) => boolean): Promise<readonly Reminder[]> {
    const { isTracked, key } = this.options;
    const state = await kept.look(this.context);
    if (isTracked()) return toldInTurn(state, key.taskId);
    const live = toldInTurn(takeInputs(state, this.begun(), kept.bounds).after, key.taskId);
    return live.filter((reminder) => isAmong(reminder, this.listed) || isToldNow(reminder));
  }

  /** `toldIds`: what of the live ones it was told, where that is not all of them. */
  private begun(toldIds?: readonly string[]): readonly Input[] {
    return inputsOfUntracked(this.options.key.taskId, this.now(), this.carried, toldIds).begin;
  }

  private ended(): readonly Input[] {
    return inputsOfUntracked(this.options.key.taskId, this.now(), []).end;
  }

  /** One look after the other: none may undo what a later one has found. */
  private inTurn<T>(work: (kept: TaskReminders) => Promise<T>): Promise<T> {
    const { kept } = this.options;
    if (kept === undefined) return Promise.reject(new Error('the card claims no reminders'));
    const done = this.last.then(() => work(kept));
    this.last = done.catch(() => undefined);
    return done;
  }

  private get context(): ContextKey {
    const { key, contextId } = this.options;
    return { application: key.application, user: key.user, contextId };
  }

  private now(): string {
    return new Date(this.options.clock.now()).toISOString();
  }
}

function isAmong({ id, propagate }: Reminder, reminders: readonly Reminder[]): boolean {
  return reminders.some((other) => other.id === id && other.propagate === propagate);
}
