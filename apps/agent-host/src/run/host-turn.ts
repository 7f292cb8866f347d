// A turn as its handler sees it: what it says becomes events of the task.
import { type Message, Role, TaskState } from '@a2a-js/sdk';
import type {
  Activity,
  ArtifactContent,
  Carried,
  ExternalWait,
  IncomingMessage,
  Json,
  ModelUsage,
  Part,
  Reminder,
  ReminderBlock,
  Session,
  TaskEnded,
  Turn,
  User,
} from '#agent-handler';
import type { Clock, NewId } from '#runtime';
import type { TaskEvent } from '../task/task-event.ts';
import type { TaskKey, TaskStore } from '../store/task-store.ts';
import { agentMessage, type Said, toArtifact, toHandlerParts, toIncoming, toParts } from './content.ts';
import { checkActivity, checkArtifact, checkCarried, checkSaid, checkUsage } from './check-content.ts';
import { checkJson, checkMembers, checkText } from './check-json.ts';
import type { EndOther } from './end-other-task.ts';
import { nextMessage } from './next-message.ts';
import type { TellingPolicy, Told } from './output-policy.ts';
import type { InputReader } from './read-input.ts';
import type { Share } from './shares.ts';
import type { TurnReminders } from './turn-reminders.ts';
import type { TurnWait } from './turn-wait.ts';
import type { TaskWriter } from './task-writer.ts';
import { TurnOverError } from './task-writer.ts';

export const answerId = 'answer';

export interface TurnParts {
  readonly writer: TaskWriter;
  readonly reminders: TurnReminders;
  readonly wait: TurnWait;
  readonly telling: TellingPolicy;
  readonly tasks: TaskStore;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly readInput: InputReader;
  readonly application: string;
  /** May this process wait for the caller's next message? */
  readonly canAsk: boolean;
  /** The caller may be answered: the task waits for it. */
  readonly onAsk: () => void;
  /** Nothing runs while the caller is waited for. */
  readonly share: Share;
  readonly endOther: EndOther;
}

export interface TurnFacts {
  readonly message: Message;
  readonly data: Json | undefined;
  readonly history: readonly Message[];
  readonly taskId: string;
  readonly user: User;
  readonly session: Session;
  readonly extensions: readonly string[];
  readonly signal: AbortSignal;
  /** The task has an answer already, of a turn before. */
  readonly isAnswered: boolean;
}

/** The run asks for input that this process cannot hold. */
export class CannotAskError extends Error {
  override readonly name = 'CannotAskError';
  readonly retryable = false;
}

export class HostTurn implements Turn {
  readonly message: IncomingMessage;
  readonly history: Turn['history'];
  readonly taskId: string;
  readonly user: User;
  readonly session: Session;
  readonly extensions: readonly string[];
  readonly signal: AbortSignal;
  private isAnswered: boolean;
  private hasSaid = false;
  private wrong: TypeError | undefined;
  private isOver = false;

  constructor(
    private readonly parts: TurnParts,
    facts: TurnFacts,
  ) {
    this.message = toIncoming(facts.message, facts.data);
    this.history = facts.history.map(({ role, parts: said }) => ({
      ...{ role: role === Role.ROLE_USER ? ('user' as const) : ('agent' as const), parts: toHandlerParts(said) },
    }));
    ({
      taskId: this.taskId,
      user: this.user,
      session: this.session,
      extensions: this.extensions,
      signal: this.signal,
      isAnswered: this.isAnswered,
    } = facts);
  }

  get reminders(): readonly Reminder[] {
    return this.parts.reminders.listed;
  }

  get reminderBlocks(): readonly ReminderBlock[] {
    return this.parts.reminders.blocks;
  }

  get interrupted(): AbortSignal {
    return this.parts.reminders.interrupted;
  }

  async nextStep(): Promise<readonly Reminder[]> {
    this.assertNotOver();
    return this.parts.reminders.nextStep();
  }

  async compacted(): Promise<void> {
    this.assertNotOver();
    await this.parts.reminders.compacted();
  }

  say(content: string | Part): Promise<void> {
    return this.taken(async () => {
      checkSaid(content, 'what is said');
      const append = this.isAnswered;
      this.isAnswered = true;
      this.hasSaid = true;
      await this.writeAnswer(content, append, false);
    });
  }

  artifact(artifact: ArtifactContent): Promise<void> {
    return this.taken(async () => {
      checkArtifact(artifact);
      await this.trackNow();
      const append = artifact.append === true;
      await this.write([
        { type: 'artifactUpdated', at: this.now(), artifact: toArtifact(artifact), append, lastChunk: !append },
      ]);
    });
  }

  track(): Promise<void> {
    return this.taken(() => this.trackNow());
  }

  think(text: string): Promise<void> {
    return this.taken(async () => {
      checkText(text, 'what is thought');
      const told = this.parts.telling.thinking();
      if (told !== undefined) await this.report(told, agentMessage(this.parts.newId(), text, { metadata: told }));
    });
  }

  decision(value: Json): Promise<void> {
    return this.taken(async () => this.report(this.parts.telling.decision(checkJson(value, 'the decision'))));
  }

  activity(activity: Activity): Promise<void> {
    return this.taken(async () => this.report(this.parts.telling.activity(checkActivity(activity))));
  }

  usage(usage: ModelUsage, raw?: Json): Promise<void> {
    return this.taken(async () => {
      if (raw !== undefined) checkJson(raw, 'the raw usage');
      await this.report(this.parts.telling.usage(checkUsage(usage), raw));
    });
  }

  async ask(question: string | readonly Part[], carried?: Carried): Promise<IncomingMessage> {
    checkSaid(question, 'the question');
    checkCarried(carried, 'the question');
    const { canAsk, readInput, tasks, writer } = this.parts;
    if (!canAsk) throw new CannotAskError('the run has resumed in another process than the caller was promised to');
    await this.track();
    const key = this.keyOf(this.taskId);
    const before = (await tasks.read(key))?.version ?? 0;
    await writer.write([this.statusOf(TaskState.TASK_STATE_INPUT_REQUIRED, question, carried)]);
    this.parts.onAsk();
    this.parts.share.pause();
    const message = await nextMessage(tasks, key, before, this.signal).finally(() => this.parts.share.goOn());
    if (message === undefined) throw new TurnOverError('the task ended before it was answered');
    await this.parts.reminders.goOn();
    const input = readInput(message);
    return toIncoming(message, 'data' in input ? input.data : undefined);
  }

  async externalWait(name: string, options: { readonly forMs?: number } = {}): Promise<ExternalWait> {
    const { forMs } = checkMembers(options, 'the options of the wait') as typeof options;
    await this.track();
    return this.parts.wait.open(name, forMs);
  }

  async endTask(taskId: string, state: 'canceled' | 'failed', message: string | readonly Part[]): Promise<TaskEnded> {
    this.assertNotOver();
    checkText(taskId, 'the id of the task');
    checkSaid(message, 'what its callers are told');
    if (!['canceled', 'failed'].includes(state)) throw new TypeError('a task is ended as canceled or failed');
    if (taskId === this.taskId) throw new TypeError('a turn ends its own task by what it returns');
    const ended = state === 'failed' ? TaskState.TASK_STATE_FAILED : TaskState.TASK_STATE_CANCELED;
    return this.parts.endOther(this.keyOf(taskId), this.statusOf(ended, message));
  }

  /** The end of the answer, where there was one; the turn takes nothing more. Throws what the handler has passed wrongly. */
  async end(): Promise<void> {
    if (this.wrong !== undefined) throw this.wrong;
    if (this.hasSaid) await this.writeAnswer([], true, true);
    this.isOver = true;
  }

  /** A status of the agent's. */
  statusOf(state: TaskState, said?: Said, carried?: Carried): TaskEvent {
    const event = { type: 'statusChanged', at: this.now(), state } as const;
    return said === undefined ? event : { ...event, message: agentMessage(this.parts.newId(), said, carried) };
  }

  private keyOf(taskId: string): TaskKey {
    return { application: this.parts.application, user: this.user.name, taskId };
  }

  /** A handler that does not wait for it is told at its end of what it has passed wrongly. */
  private taken(work: () => Promise<void>): Promise<void> {
    const done = work();
    done.catch((error: unknown) => {
      if (error instanceof TypeError) this.wrong ??= error;
    });
    return done;
  }

  private async trackNow(): Promise<void> {
    this.assertNotOver();
    await this.parts.writer.track();
  }

  private writeAnswer(content: Said, append: boolean, lastChunk: boolean): Promise<void> {
    const metadata: Told = this.parts.telling.ofAnswer(lastChunk);
    const artifact = {
      ...{ artifactId: answerId, name: '', description: '', parts: lastChunk ? [] : toParts(content) },
      ...{ metadata, extensions: [] },
    };
    return this.write([{ type: 'artifactUpdated', at: this.now(), artifact, append, lastChunk }]);
  }

  private async report(told: Told | undefined, message?: Message): Promise<void> {
    if (told === undefined) return;
    await this.write([{ type: 'progressReported', at: this.now(), metadata: told, ...(message && { message }) }]);
  }

  private write(events: readonly TaskEvent[]): Promise<void> {
    this.assertNotOver();
    return this.parts.writer.write(events);
  }

  private assertNotOver(): void {
    if (this.isOver || this.signal.aborted) throw new TurnOverError('the turn is over');
  }

  private now(): string {
    return new Date(this.parts.clock.now()).toISOString();
  }
}
