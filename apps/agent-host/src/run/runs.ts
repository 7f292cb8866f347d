// The turns that this process runs: begun, gone on with, told to end; that they are still run is said again while they are.
// What another process ran, and does no more, is ended here, so that no task is WORKING for ever.
import { type Message, Role, TaskState } from '@a2a-js/sdk';
import type { LoggerService } from '@nestjs/common';
import type { AgentHandler, Json, TurnAnswer, User } from '#agent-handler';
import type { Clock, NewId } from '#runtime';
import type { CarriedReminder } from '../reminders/carried-reminders.ts';
import type { TaskReminders } from '../reminders/task-reminders.ts';
import { lookAgain } from '../look-again.ts';
import { endTask } from '../store/end-task.ts';
import type { SessionStore } from '../store/session-store.ts';
import { nameOf } from '../store/task-signals.ts';
import type { Once, StoredTask, TaskKey, TaskStore } from '../store/task-store.ts';
import { isOver as isEnded, stateOf } from '../task/task-state.ts';
import type { Interaction } from '../task/when-task-exists.ts';
import type { WorkQueue } from '../work/work-queue.ts';
import { endsOthers } from './end-other-task.ts';
import { answerId, HostTurn } from './host-turn.ts';
import { TellingPolicy } from './output-policy.ts';
import type { InputReader } from './read-input.ts';
import { Run, type RunParts } from './run.ts';
import { holderOfUser, type Share, type Shares } from './shares.ts';
import { TaskWriter, type WriterOptions } from './task-writer.ts';
import { TurnReminders } from './turn-reminders.ts';
import { TurnWait } from './turn-wait.ts';
import { TurnSession } from './turn-session.ts';

export interface RunsOptions {
  /** Whose tasks: the compiled application. */
  readonly application: string;
  /** To whom answers are attributed. */
  readonly agentName: string;
  readonly handler: AgentHandler;
  readonly readInput: InputReader;
  readonly tasks: TaskStore;
  readonly sessions: SessionStore;
  /** Absent: handlers that wait for work fail. */
  readonly work?: WorkQueue;
  /** Where somebody outside ends what handlers wait for; absent: nowhere. */
  readonly waitsUrl?: string;
  /** Absent: the card claims none. */
  readonly reminders?: TaskReminders;
  /** How many turns there may be at once. */
  readonly turns: Shares;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: LoggerService;
  /** This process. */
  readonly owner: string;
  readonly leaseMs: number;
}

/** Who asks, and how. */
export interface Call {
  readonly user: User;
  readonly message: Message;
  readonly data: Json | undefined;
  /** What came with the message, and is no part of it. */
  readonly reminders: readonly CarriedReminder[];
  readonly extensions: readonly string[];
  readonly interaction: Interaction;
  /** Of the turns at once, while the turn runs; a question that waits for its answer holds none. */
  readonly share: Share;
}

export interface ResumedWork {
  readonly name: string;
  readonly state: Json;
  readonly result: Json;
  readonly askedBy: string;
  /** It was a wait whose time is over. */
  readonly isLate: boolean;
}

/** What is given back to a turn that goes on after work: the handler's state, and what its caller has activated. */
interface KeptState {
  readonly state: Json;
  readonly extensions: readonly string[];
}

const keptState = (state: Json, { extensions }: Call): Json => ({ state, extensions }) satisfies KeptState & Json;

const abandonedText = 'The process that worked on this has ended; it was not finished.';
const abandonedAtOnce = 20;

export class Runs {
  private readonly running = new Map<string, Run>();
  private readonly stopped = new AbortController();
  private keeping: Promise<void> = Promise.resolve();
  private isClosing = false;
  /** Others could not say again what they run, either. */
  private endNoneUntilMs = 0;

  constructor(private readonly options: RunsOptions) {}

  /** A new message: a Task comes of it where the interaction, or what the handler does, asks for one. */
  begin(call: Call, contextId: string, once?: Once): Run {
    const { application, newId } = this.options;
    const key = { application, user: call.user.name, taskId: newId() };
    const write = (options: WriterOptions): TaskWriter =>
      TaskWriter.begin({ ...options, ...(once && { once }) }, call.message, call.reminders, this.now());
    const { run, turn } = this.prepare(call, contextId, write, key, undefined, true);
    return this.start(run, turn, call, () => this.options.handler.handle(turn), once !== undefined);
  }

  /** The next message of a task whose run is this process's, by the epoch. The message is in the task already. */
  goOn(call: Call, stored: StoredTask, key: TaskKey, epoch: number): Run {
    const { run, turn } = this.prepare(call, stored.task.contextId, goingOn(epoch), key, stored, true);
    return this.start(run, turn, call, () => this.options.handler.handle(turn));
  }

  /**
   * After queued work. What a caller was promised of questions, the process whose turn asked for the work has promised:
   * no other can hold one.
   */
  resume(work: ResumedWork, stored: StoredTask, key: TaskKey, epoch: number): Run {
    const message = stored.task.history.findLast(({ role }) => role === Role.ROLE_USER);
    if (message === undefined) throw new Error('a task begins with a message');
    const user = { name: key.user, isAuthenticated: key.user !== '' };
    // The turn was let in when it began; how much work is done at once is the worker's.
    const share = this.options.turns.hold(holderOfUser(key.user));
    const { state, extensions } = work.state as unknown as KeptState;
    const interaction = 'immediate' as const;
    const input = this.options.readInput(message);
    const data = 'data' in input ? input.data : undefined;
    const call = { user, message, data, reminders: [], extensions, interaction, share };
    const canAsk = work.askedBy === this.options.owner;
    const { run, turn } = this.prepare(call, stored.task.contextId, goingOn(epoch), key, stored, canAsk);
    const { name, result, isLate } = work;
    const finished = { work: name, state, result, ...(isLate && { isLate }) };
    const resumed = (): TurnAnswer => this.options.handler.resume?.(turn, finished) ?? Promise.resolve(undefined);
    return this.start(run, turn, call, resumed);
  }

  /** A run of this process, where it is one. */
  find(key: TaskKey): Run | undefined {
    return this.running.get(nameOf(key));
  }

  /** Says again, until `close`, that what runs here does; and ends what nobody runs any more. */
  keep(): void {
    const { clock, leaseMs, log } = this.options;
    const everyMs = Math.min(1_000, leaseMs / 3);
    this.keeping = lookAgain(() => this.look(), {
      signal: this.stopped.signal,
      report: (fault) => {
        this.endNoneUntilMs = clock.now() + leaseMs;
        log.warn(String(fault), 'AgentHost');
      },
      pause: (signal) => clock.sleep(everyMs, signal),
    });
  }

  /** Every handler is told to end, and its task is; resolves once they have. */
  async close(): Promise<void> {
    this.isClosing = true;
    for (const run of this.running.values()) run.abort('stopping');
    await Promise.all([...this.running.values()].map((run) => run.done));
    this.stopped.abort();
    await this.keeping;
  }

  private async look(): Promise<void> {
    const { application, clock, leaseMs, owner, tasks } = this.options;
    const before = [...this.running.values()].filter((run) => run.isTracked);
    const held = await tasks.renew(
      application,
      { owner, leaseMs },
      before.map(({ key }) => key),
    );
    const names = new Map(held.map((run) => [nameOf(run.key), run]));
    for (const run of before) {
      const heldRun = names.get(nameOf(run.key));
      if (heldRun === undefined) run.abort('lost');
      else if (heldRun.isCancelAsked) run.abort('canceled');
    }
    if (clock.now() < this.endNoneUntilMs) return;
    for (const key of await tasks.abandoned(application, abandonedAtOnce)) await this.endAbandoned(key);
  }

  private async endAbandoned(key: TaskKey): Promise<void> {
    const { leaseMs, owner, tasks, work } = this.options;
    const epoch = await tasks.takeOver(key, { owner, leaseMs });
    if (epoch === undefined) return;
    // Its process may have ended between asking for work and letting go: whoever does it is told that it is void.
    await work?.void(key);
    await endTask(this.options, key, { epoch, state: TaskState.TASK_STATE_FAILED, text: abandonedText });
  }

  private prepare(
    call: Call,
    contextId: string,
    write: (options: WriterOptions) => TaskWriter,
    key: TaskKey,
    stored: StoredTask | undefined,
    canAsk: boolean,
  ): { readonly run: Run; readonly turn: HostTurn } {
    const { application, agentName, clock, handler, log, newId, readInput, sessions, tasks, work } = this.options;
    const { leaseMs, owner: askedBy } = this.options;
    const controller = new AbortController();
    // Its own run, whichever run of the task is this process's by then.
    const onLost = (): void => run.abort('lost');
    const writer = write({ tasks, key, contextId, lease: { owner: askedBy, leaseMs }, onLost });
    const kept = (state: Json): Json => keptState(state, call);
    const enqueue: Pick<RunParts, 'enqueue'> =
      work === undefined
        ? {}
        : { enqueue: (asked) => work.enqueue(key, { ...asked, state: kept(asked.state), askedBy }) };
    const reminders = new TurnReminders({
      ...{ kept: this.options.reminders, key, contextId, carried: call.reminders, clock, signal: controller.signal },
      isTracked: () => writer.isTracked,
      report: (fault) => void log.warn(String(fault), `task ${key.taskId}`),
    });
    const { waitsUrl } = this.options;
    const canResume = handler.resume !== undefined;
    const wait = new TurnWait({ key, queue: work, waitsUrl, askedBy, kept, canResume });
    const workNames = Object.keys(handler.work ?? {});
    const { interaction } = call;
    const isOver = async (): Promise<boolean> => {
      const now = await tasks.read(key);
      return now === undefined || isEnded(stateOf(now.task));
    };
    const run: Run = new Run({
      key,
      interaction,
      writer,
      reminders,
      wait,
      controller,
      log,
      workNames,
      isOver,
      ...enqueue,
    });
    const telling = new TellingPolicy(handler.output, agentName);
    const turn = new HostTurn(
      {
        ...{ writer, reminders, wait, telling, tasks, clock, newId, readInput, application, canAsk, share: call.share },
        onAsk: () => run.asked(),
        endOther: endsOthers({ tasks, ...(work && { work }), onEnded: (ended) => this.find(ended)?.abort('lost') }),
      },
      {
        ...{ message: call.message, data: call.data, user: call.user, extensions: call.extensions },
        history: (stored?.task.history ?? []).filter(({ messageId }) => messageId !== call.message.messageId),
        taskId: key.taskId,
        session: new TurnSession(sessions, { application, user: call.user.name, contextId }),
        signal: controller.signal,
        isAnswered: stored?.task.artifacts.some(({ artifactId }) => artifactId === answerId) === true,
      },
    );
    return { run, turn };
  }

  private start(run: Run, turn: HostTurn, { share }: Call, perform: Parameters<Run['start']>[1], isOnce = false): Run {
    const name = nameOf(run.key);
    this.running.set(name, run);
    if (this.isClosing) run.abort('stopping');
    run.start(turn, perform, isOnce);
    void run.done.finally(() => {
      share.free();
      if (this.running.get(name) === run) this.running.delete(name);
    });
    return run;
  }

  private now(): string {
    return new Date(this.options.clock.now()).toISOString();
  }
}

function goingOn(epoch: number): (options: WriterOptions) => TaskWriter {
  return (options) => TaskWriter.goOn(options, epoch);
}
