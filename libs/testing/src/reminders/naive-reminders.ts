// A second model of reminders: one list of everything that was ever accepted, looked through each time. It knows nothing
// of the library but the shape of its inputs, and is slow and plain on purpose.
import type { Input, ReminderDraft, ReminderInjected } from '#reminders';

/** What anybody can see of one input, as text: two models agree where these are equal. */
export interface Observed {
  readonly answer?: string;
  readonly told: readonly string[];
  readonly updates: readonly string[];
}

interface Entry {
  readonly task: string;
  readonly id: string;
  readonly draft: ReminderDraft;
  readonly content: string;
  readonly answer: string;
  readonly firstTurn: number;
  left: number;
  isOver: boolean;
  /** The runs that have it. */
  readonly runs: Set<string>;
}

export class NaiveReminders {
  private readonly livePerTask: number;
  private readonly opened: string[] = [];
  private readonly turns = new Map<string, number>();
  private readonly runs = new Map<string, string>();
  private entries: Entry[] = [];
  private told: string[] = [];
  private updates: string[] = [];

  constructor(livePerTask: number) {
    this.livePerTask = livePerTask;
  }

  take(input: Input): Observed {
    this.told = [];
    this.updates = [];
    const answer = input.type === 'reminderInjected' ? { answer: this.inject(input) } : {};
    if (input.type !== 'reminderInjected') this.happen(input);
    return { ...answer, told: this.told, updates: this.updates.sort() };
  }

  private happen(input: Exclude<Input, ReminderInjected>): void {
    if (input.type === 'taskOpened') this.open(input.taskId);
    if (input.type === 'turnBegan') {
      this.open(input.taskId);
      if (this.runs.get(input.taskId) === input.turnId) return;
      this.rest(input.taskId);
      this.turns.set(input.taskId, (this.turns.get(input.taskId) ?? 0) + 1);
      this.runs.set(input.taskId, input.turnId);
      this.tell(input.taskId, 'begin', ({ id }) => input.toldIds === undefined || input.toldIds.includes(id));
    }
    if (input.type === 'stepBoundaryReached') {
      this.tell(input.taskId, 'step', ({ draft }) => draft.mode !== 'wait_for_completion');
    }
    if (input.type === 'turnEnded') this.rest(input.taskId);
    if (input.type === 'taskEnded') this.close(input.taskId);
    if (input.type === 'remindersCarried') {
      for (const { taskId, reminderId } of input.reminders) {
        for (const entry of this.live()) if (entry.task === taskId && entry.id === reminderId) entry.isOver = true;
      }
    }
    if (input.type === 'contextCompacted') {
      for (const entry of this.live()) if (!entry.draft.preserveOnCompact) this.expire(entry);
    }
  }

  private inject({ taskId, draft, isTerminal, contentHash, newId }: ReminderInjected): string {
    if (isTerminal) return 'task_terminal';
    if (!this.opened.includes(taskId)) return 'task_not_found';
    const named = this.entries.filter(({ id, task, draft: { propagate } }) => {
      return id === draft.id && (task === taskId || propagate === 'REMINDER_PROPAGATION_SESSION');
    });
    const known = named.find(({ task }) => task === taskId) ?? named[0];
    if (known !== undefined) return known.content === contentHash ? known.answer : 'id_reused';
    const rivals = this.live().filter(
      (entry) =>
        draft.dedupeKey !== undefined &&
        entry.draft.dedupeKey === draft.dedupeKey &&
        this.scopeOf(entry.task, entry.draft) === this.scopeOf(taskId, draft),
    );
    const own = { task: taskId, draft };
    for (const task of this.opened.filter((one) => this.concerns(own, one))) {
      const others = this.live().filter((entry) => this.concerns(entry, task) && !rivals.includes(entry));
      if (others.length + 1 > this.livePerTask) return 'live_bound';
    }
    const turn = (this.turns.get(taskId) ?? 0) + (this.runs.has(taskId) ? 0 : 1);
    const id = draft.id ?? newId;
    const entry: Entry = {
      ...own,
      id,
      content: contentHash,
      answer: `${id} displaced ${rivals.length}`,
      firstTurn: Math.max(turn, draft.firedAtTurn ?? 0),
      left: draft.ttlTurns ?? Infinity,
      isOver: false,
      runs: new Set(),
    };
    this.entries.push(entry);
    this.update(entry, 'accepted');
    for (const rival of rivals) {
      rival.isOver = true;
      this.update(rival, 'REMINDER_DEDUPED');
    }
    if (draft.mode === 'interrupt_immediate')
      for (const task of this.opened) this.tell(task, 'at_once', (one) => one === entry);
    return entry.answer;
  }

  private open(task: string): void {
    if (!this.opened.includes(task)) this.opened.push(task);
  }

  private tell(task: string, when: string, isWanted: (entry: Entry) => boolean): void {
    const run = this.runs.get(task);
    if (run === undefined) return;
    for (const entry of this.live()) {
      const isEarly = entry.task === task && entry.firstTurn > (this.turns.get(task) ?? 0);
      if (!this.concerns(entry, task) || isEarly || entry.runs.has(`${task} ${run}`) || !isWanted(entry)) continue;
      entry.runs.add(`${task} ${run}`);
      this.told.push(`${task} ${when} ${entry.id}: ${entry.draft.body} ${entry.firstTurn}`);
    }
  }

  private rest(task: string): void {
    const run = this.runs.get(task);
    this.runs.delete(task);
    for (const entry of this.live()) {
      if (run === undefined || !entry.runs.delete(`${task} ${run}`)) continue;
      entry.left -= 1;
      if (entry.left === 0) this.expire(entry);
    }
  }

  private close(task: string): void {
    if (!this.opened.includes(task)) return;
    this.rest(task);
    const isLast = this.opened.length === 1;
    for (const entry of this.live()) {
      if (this.scopeOf(entry.task, entry.draft) === task || isLast) this.expire(entry);
    }
    this.opened.splice(this.opened.indexOf(task), 1);
    this.turns.delete(task);
    this.entries = this.entries.filter(({ task: of, draft }) => !isLast && this.scopeOf(of, draft) !== task);
  }

  private live(): Entry[] {
    return this.entries.filter(({ isOver }) => !isOver);
  }

  private expire(entry: Entry): void {
    entry.isOver = true;
    this.update(entry, 'REMINDER_EXPIRED');
  }

  private update(entry: Entry, what: string): void {
    for (const task of this.opened) {
      if (this.concerns(entry, task)) this.updates.push(`${task} ${what} ${entry.id}: ${entry.draft.body}`);
    }
  }

  private scopeOf(task: string, { propagate }: ReminderDraft): string {
    return propagate === 'REMINDER_PROPAGATION_NONE' ? task : 'all';
  }

  private concerns({ task: addressed, draft }: Pick<Entry, 'task' | 'draft'>, task: string): boolean {
    return ['all', task].includes(this.scopeOf(addressed, draft));
  }
}
