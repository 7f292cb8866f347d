// The watcher's core in an agent that keeps its own time (Expectations §12.2): what the agent's tasks say and what clients
// report goes into a journal, time passes by ticks in it, and a lapse becomes a new task of the agent's own.
// It must never change an origin task: the lapse task's handler does, or does not.
import {
  type Event,
  decide,
  type ExpectationLapsed,
  formatInstant,
  type Input,
  nextDeadline,
  parseInstant,
  restoreSnapshot,
  State,
  takeSnapshot,
  type UntimedInput,
} from '#expectations';
import {
  implausibility,
  type LapseRequest,
  lapseRequest,
  plausibleAround,
  readBlock,
  readObservation,
} from '#protocol/pure';
import { type Clock, systemClock } from './clock.ts';
import { type DueLapse, DueLapses } from './due-lapses.ts';
import type { Expectations } from './expectations.ts';
import type { Checkpoint, TimingJournal } from './timing-journal.ts';

/** Where lapse tasks are made. */
export interface LapseTasks {
  /** Makes the task; resolves to its id where there is one. Rejects where it may not have been made. */
  submit(request: LapseRequest): Promise<string | undefined>;
  /** Looks for the task that an earlier, unacknowledged submission may have made. Undefined where there is none. */
  find(request: LapseRequest): Promise<string | undefined>;
}

export interface SelfTimingOptions {
  readonly journal: TimingJournal;
  readonly lapseTasks: LapseTasks;
  readonly clock?: Clock;
  /** Told of what went wrong with a submission, which is tried again. */
  readonly onFault?: (error: unknown, lapsed: ExpectationLapsed) => void;
  /** Told where the journal could not be compacted, which is tried again. */
  readonly onJournalFault?: (error: unknown) => void;
}

/** Part of an agent's work, or a client's message, as A2A's JSON: one member, as in a StreamResponse. */
export type Seen = Readonly<Partial<Record<'task' | 'statusUpdate' | 'artifactUpdate' | 'message', unknown>>>;

const agentId = 'agent';
const longestSleepMs = 60_000;

export class SelfTiming {
  private state = new State();
  private readonly lapses = new DueLapses();
  private readonly clock: Clock;
  private lastMs = 0;
  private telling: Promise<unknown> = Promise.resolve();
  private waking = new AbortController();

  private constructor(
    private readonly expectations: Expectations,
    private readonly options: SelfTimingOptions,
  ) {
    this.clock = options.clock ?? systemClock;
  }

  /** Takes up what the journal has. Rejects where the card does not say that the agent keeps its own time, or the journal does. */
  static async open(expectations: Expectations, options: SelfTimingOptions): Promise<SelfTiming> {
    const { keepsTime, lineageBound } = expectations.definition;
    if (keepsTime !== true) throw new TypeError('an agent that keeps its own time declares keepsTime: true (§12.2)');
    const timing = new SelfTiming(expectations, options);
    const { checkpoint, inputs } = await options.journal.read();
    if (checkpoint !== undefined) timing.restore(checkpoint);
    for (const input of inputs) timing.fold(input);
    const settings = { dispatchSelfTimed: true, ...(lineageBound !== undefined && { lineageBound }) };
    await timing.tell([
      { type: 'configured', settings },
      { type: 'agentDeclared', agentId, params: expectations.extension.params },
    ]);
    return timing;
  }

  /**
   * Takes in what a task of the agent's has come to. What it expects is recorded once this resolves; a repeat changes
   * nothing. Resolves to what was decided; rejects where the journal does, or where it is no work at all.
   */
  async see(seen: Seen): Promise<readonly Event[]> {
    const read = readObservation({ agentId, ...seen }, { name: `agent:${agentId}`, sources: [] });
    if (!read.ok) throw new TypeError(read.refusals.map(({ path, message }) => `${path} ${message}`).join('; '));
    return read.inputs.length === 0 ? [] : this.tell(read.inputs);
  }

  /**
   * Takes in the facts of a client's message (§9.2); nothing else in it is a client's to say. `reporter` is who the client
   * is by its credential, and has been found to be somebody whom facts are believed: it is recorded, and not the source
   * that a fact names (§13.5). Facts at instants that nobody can believe are not taken.
   */
  async takeFacts(message: { readonly metadata?: unknown }, reporter: string): Promise<readonly Event[]> {
    const window = plausibleAround(this.clock.now());
    const facts = readBlock(message.metadata, 'metadata').block?.facts ?? [];
    const believed = facts.filter((fact) => implausibility(fact, window) === undefined);
    return believed.length === 0 ? [] : this.tell([{ type: 'factsReported', reporter, facts: believed }]);
  }

  /** Keeps time until it is aborted. Rejects where the journal does. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.waking.abort(), { once: true });
    while (!signal.aborted) {
      this.waking = new AbortController();
      await this.tick();
      for (const due of this.lapses.all) {
        if (due.fromMs <= this.clock.now() && !isAborted(signal)) await this.submit(due);
      }
      if (!isAborted(signal)) await this.clock.sleep(this.restMs(), this.waking.signal);
    }
  }

  /** Judges what is due by now, if anything is. */
  private async tick(): Promise<void> {
    const next = nextDeadline(this.state);
    if (next !== undefined && next < this.clock.now()) await this.tell([{ type: 'tick' }]);
  }

  private async submit({ lapsed, attemptsCount }: DueLapse): Promise<void> {
    const { expectationId, lapse } = lapsed;
    const request = lapseRequest(lapsed);
    const of = { agentId, expectationId, lapse: lapse.lapse, attempt: attemptsCount + 1 };
    try {
      const found = attemptsCount === 0 ? undefined : await this.options.lapseTasks.find(request);
      if (found !== undefined) {
        await this.tell([{ type: 'dispatchAcknowledged', ...of, attempt: attemptsCount, taskId: found }]);
        return;
      }
    } catch (error) {
      await this.failed(error, lapsed, attemptsCount);
      return;
    }
    // Told before it happens: who goes on after a crash looks for it.
    const [answer] = await this.tell([{ type: 'dispatchAttempted', ...of }]);
    if (answer?.type !== 'dispatchAttempted') return;
    let taskId: string | undefined;
    try {
      taskId = await this.options.lapseTasks.submit(request);
    } catch (error) {
      await this.failed(error, lapsed, of.attempt);
      return;
    }
    await this.tell([{ type: 'dispatchAcknowledged', ...of, ...(taskId !== undefined && { taskId }) }]);
  }

  private async failed(error: unknown, lapsed: ExpectationLapsed, attempt: number): Promise<void> {
    this.options.onFault?.(error, lapsed);
    const cause = (error instanceof Error ? error.message : String(error)).slice(0, 1_000);
    const { expectationId, lapse } = lapsed;
    const of = { agentId, expectationId, lapse: lapse.lapse, attempt };
    await this.tell([{ type: 'dispatchFailed', ...of, outcome: 'unknown', cause }]);
  }

  /** Until something is due, at most a minute. */
  private restMs(): number {
    const now = this.clock.now();
    const next = nextDeadline(this.state) ?? Infinity;
    const submitAt = this.lapses.all[0]?.fromMs ?? Infinity;
    return Math.max(0, Math.min(next + 1 - now, submitAt - now, longestSleepMs));
  }

  /** One after another: journal first, then the core. */
  private tell(untimed: readonly UntimedInput[]): Promise<readonly Event[]> {
    const told = this.telling.then(async () => {
      this.lastMs = Math.max(this.lastMs, this.clock.now());
      const at = formatInstant(this.lastMs);
      const inputs = untimed.map((input) => ({ ...input, at }));
      await this.options.journal.append(inputs);
      const events = inputs.flatMap((input) => this.fold(input));
      if (this.options.journal.isGrown) await this.compact();
      return events;
    });
    this.telling = told.catch(() => undefined);
    void this.telling.then(() => this.waking.abort());
    return told;
  }

  /** What was told is kept in any case: that the journal stays long is told, and tried again by the next. */
  private async compact(): Promise<void> {
    const { journal, onJournalFault } = this.options;
    const state = [...takeSnapshot(this.state)];
    await journal
      .compact({ v: 1, atMs: this.lastMs, lapses: this.lapses.all, state })
      .catch((error: unknown) => onJournalFault?.(error));
  }

  private restore({ v, atMs, lapses, state }: Checkpoint): void {
    if ((v as number) !== 1)
      throw new TypeError(`a checkpoint of version ${String(v)} cannot be read by this version of the kit`);
    this.lastMs = atMs;
    this.lapses.restore(lapses);
    this.state = restoreSnapshot(state);
  }

  private fold(input: Input): Event[] {
    this.lastMs = Math.max(this.lastMs, parseInstant(input.at));
    const events = decide(this.state, input);
    for (const event of events) this.lapses.fold(event);
    return events;
  }
}

// It may have been while something was awaited.
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
