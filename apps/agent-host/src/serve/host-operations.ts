// The operations of A2A over the host's stores: what the SDK's transports ask for.
// It must never answer of another user's task anything but that there is none.
import {
  type AgentCard,
  type CancelTaskRequest,
  type GetTaskRequest,
  type ListTasksRequest,
  type ListTasksResponse,
  type Message,
  type SendMessageRequest,
  type StreamResponse,
  type SubscribeToTaskRequest,
  type Task,
} from '@a2a-js/sdk';
import type { ServerCallContext } from '@a2a-js/sdk/server';
import type { Runs } from '../run/runs.ts';
import { takeOffReminders, type TakenOff } from '../reminders/carried-reminders.ts';
import { takeInputs } from '../reminders/remind.ts';
import { injected } from '../reminders/reminder-inputs.ts';
import type { TaskReminders } from '../reminders/task-reminders.ts';
import type { InputReader } from '../run/read-input.ts';
import { KnownOnceError } from '../run/task-writer.ts';
import type { Run } from '../run/run.ts';
import type { Share, Shares } from '../run/shares.ts';
import type { Once, TaskKey } from '../store/task-store.ts';
import { isOver, stateOf } from '../task/task-state.ts';
import { toDirectMessage, withHistory } from '../task/told-task.ts';
import type { Interaction } from '../task/when-task-exists.ts';
import { callerOf, type HostCaller } from './caller.ts';
import { type CancelParts, cancelTask } from './cancel-task.ts';
import { followTask, taskAtRest } from './follow-task.ts';
import { onceOf } from './once.ts';
import { refuse } from './operation-error-map.ts';
import type { PushOperations } from './push-operations.ts';
import { checkHistoryLength, checkId, checkMessage, encodePageToken, toTaskQuery } from './request-checks.ts';
import { restOfRun } from './rest-of-run.ts';
import { type Asked, takeReply, takeTurn } from './take-reply.ts';

export interface HostOperationsOptions extends CancelParts {
  readonly application: string;
  readonly card: AgentCard;
  readonly readInput: InputReader;
  readonly runs: Runs;
  readonly push: PushOperations;
  /** How many there may be at once. */
  readonly turns: Shares;
  readonly streams: Shares;
  /** Absent: the card claims none. */
  readonly reminders?: TaskReminders;
}

interface Sent {
  readonly key: TaskKey;
  readonly contextId: string;
  /** Of a new message. */
  readonly run?: Run;
}

export class HostOperations {
  constructor(private readonly options: HostOperationsOptions) {}

  async sendMessage(request: SendMessageRequest, context: ServerCallContext): Promise<Message | Task> {
    const isImmediate = request.configuration?.returnImmediately === true;
    const { signal } = callerOf(context);
    const historyLength = checkHistoryLength(request.configuration?.historyLength);
    const { key, run } = await this.send(request, context, isImmediate ? 'immediate' : 'blocking');
    if (isImmediate) {
      if (run !== undefined) await trackedOrDone(run);
      return withHistory(await this.readTask(key), historyLength);
    }
    const rest = run && (await restOfRun(run, signal));
    if (rest?.came === 'message') return toDirectMessage(rest.task, this.options.newId());
    const task = await taskAtRest(this.options.tasks, key, signal);
    // A run that could make no task says why.
    if (task === undefined && run !== undefined) await Promise.race([run.tracked, run.done]);
    return withHistory(task ?? refuse({ code: 'unknown-task', taskId: key.taskId }), historyLength);
  }

  async *sendMessageStream(
    request: SendMessageRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    if (this.options.card.capabilities?.streaming !== true) refuse({ code: 'no-streaming' });
    const historyLength = checkHistoryLength(request.configuration?.historyLength);
    const share = this.takeStream(context);
    try {
      const { key, run } = await this.send(request, context, 'streaming');
      if (run !== undefined) await trackedOrDone(run);
      yield* this.follow(key, callerOf(context), historyLength);
    } finally {
      share.free();
    }
  }

  async *resubscribe(
    { id }: SubscribeToTaskRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    if (this.options.card.capabilities?.streaming !== true) refuse({ code: 'no-streaming' });
    const key = this.keyOf(checkId(id, 'id'), context);
    const share = this.takeStream(context);
    try {
      if (isOver(stateOf(await this.readTask(key)))) refuse({ code: 'task-over' });
      yield* this.follow(key, callerOf(context), undefined);
    } finally {
      share.free();
    }
  }

  async getTask({ id, historyLength }: GetTaskRequest, context: ServerCallContext): Promise<Task> {
    const length = checkHistoryLength(historyLength);
    return withHistory(await this.readTask(this.keyOf(checkId(id, 'id'), context)), length);
  }

  async listTasks(request: ListTasksRequest, context: ServerCallContext): Promise<ListTasksResponse> {
    const query = toTaskQuery(request);
    const historyLength = checkHistoryLength(request.historyLength);
    const scope = { application: this.options.application, user: callerOf(context).userName };
    const page = await this.options.tasks.list(scope, query);
    const shown = page.tasks.map((task) => withHistory(task, historyLength));
    return {
      tasks: request.includeArtifacts === true ? shown : shown.map((task) => ({ ...task, artifacts: [] })),
      nextPageToken: page.next === undefined ? '' : encodePageToken(page.next),
      pageSize: query.pageSize,
      totalSize: page.totalCount,
    };
  }

  cancelTask({ id }: CancelTaskRequest, context: ServerCallContext): Promise<Task> {
    return cancelTask(this.options, this.keyOf(checkId(id, 'id'), context));
  }

  keyOf(taskId: string, context: ServerCallContext): TaskKey {
    return { application: this.options.application, user: callerOf(context).userName, taskId };
  }

  async readTask(key: TaskKey): Promise<Task> {
    const stored = await this.options.tasks.read(key);
    return stored?.task ?? refuse({ code: 'unknown-task', taskId: key.taskId });
  }

  private async send(request: SendMessageRequest, context: ServerCallContext, interaction: Interaction): Promise<Sent> {
    const sent = checkMessage(request.message);
    const { message, carried } = await this.takeOff(sent, request, context);
    const call = { ...this.toCall(message, context, interaction), reminders: carried };
    const once = onceOf(sent, callerOf(context).onceKey, call.extensions);
    const pushConfig = request.configuration?.taskPushNotificationConfig;
    if (pushConfig !== undefined) this.options.push.check(pushConfig);
    if (message.taskId !== '') {
      const key = this.keyOf(message.taskId, context);
      const reply = await takeReply(this.options, key, call, once !== undefined);
      if (pushConfig !== undefined) await this.options.push.attach(key, pushConfig, reply.versionBefore);
      return { key, ...reply };
    }
    const contextId = message.contextId === '' ? this.options.newId() : message.contextId;
    // Who is to be told of a task has one.
    const asked =
      pushConfig === undefined || interaction !== 'blocking' ? call : { ...call, interaction: 'immediate' as const };
    const share = takeTurn(this.options.turns, asked.holder);
    const run = this.options.runs.begin({ ...asked, share }, contextId, once);
    const begun = await this.sentOnce(run, contextId, once, context);
    if (pushConfig === undefined) return begun;
    // What was sent again has its config already.
    if (begun.run === undefined) return begun;
    await trackedOrDone(begun.run);
    await this.options.push.attach(begun.key, pushConfig, 0);
    return begun;
  }

  /** The run's task, or the one that the caller's key has made before. */
  private async sentOnce(
    run: Run,
    contextId: string,
    once: Once | undefined,
    context: ServerCallContext,
  ): Promise<Sent> {
    if (once === undefined) return { key: run.key, contextId, run };
    try {
      await trackedOrDone(run);
      return { key: run.key, contextId, run };
    } catch (error) {
      if (!(error instanceof KnownOnceError)) throw error;
      if (error.known.requestHash !== once.requestHash) {
        refuse({ code: 'malformed', why: 'the idempotency key was sent before, with another message' });
      }
      return { key: this.keyOf(error.known.taskId, context), contextId };
    }
  }

  /** The reminders that it carries, where the card claims to take them; looked at before anything is done. */
  private async takeOff(message: Message, request: SendMessageRequest, context: ServerCallContext): Promise<TakenOff> {
    const { clock, newId, reminders, tasks } = this.options;
    if (reminders === undefined) return { message, carried: [] };
    const taken = takeOffReminders(message, request.metadata, newId, reminders.bounds);
    if ('refusal' in taken) return refuse({ code: 'reminder', refusal: taken.refusal });
    if (taken.carried.length === 0) return taken;
    const { taskId } = message;
    const stored = taskId === '' ? undefined : await tasks.read(this.keyOf(taskId, context));
    const contextId = stored?.task.contextId ?? message.contextId;
    const scope = { application: this.options.application, user: callerOf(context).userName };
    const at = new Date(clock.now()).toISOString();
    const before = await reminders.look({ ...scope, contextId });
    const inputs = [{ type: 'taskOpened', at, taskId } as const, ...injected(taskId, at, taken.carried)];
    for (const answer of takeInputs(before, inputs, reminders.bounds).answers) {
      if ('refusal' in answer) refuse({ code: 'reminder', refusal: answer.refusal });
    }
    return taken;
  }

  private takeStream(context: ServerCallContext): Share {
    return this.options.streams.take(callerOf(context).holder) ?? refuse({ code: 'too-much-at-once', what: 'streams' });
  }

  private toCall(message: Message, context: ServerCallContext, interaction: Interaction): Omit<Asked, 'reminders'> {
    const required = this.options.card.capabilities?.extensions.filter(({ required: isRequired }) => isRequired) ?? [];
    const extensions = context.requestedExtensions ?? [];
    const missing = required.map(({ uri }) => uri).filter((uri) => !extensions.includes(uri));
    if (missing.length > 0) refuse({ code: 'extension-required', uris: missing });
    const input = this.options.readInput(message);
    if ('refused' in input) {
      return refuse({ code: input.refused === 'type' ? 'input-not-taken' : 'malformed', why: input.why });
    }
    const { userName: name, isAuthenticated, holder } = callerOf(context);
    return { user: { name, isAuthenticated }, holder, message, data: input.data, extensions, interaction };
  }

  private async *follow(
    key: TaskKey,
    { signal, drained, reminders }: HostCaller,
    historyLength: number | undefined,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const stored = await this.options.tasks.read(key);
    if (stored === undefined) return refuse({ code: 'unknown-task', taskId: key.taskId });
    yield { payload: { $case: 'task', value: withHistory(stored.task, historyLength) } };
    if (isOver(stateOf(stored.task))) return;
    for await (const event of followTask(this.options.tasks, key, { ...stored, reminders }, signal)) {
      await drained();
      yield event;
    }
  }
}

/** Resolves once there is a Task. Throws where the run ends without: the store is away. */
async function trackedOrDone(run: Run): Promise<void> {
  await Promise.race([run.tracked, run.done]);
  if (!run.isTracked) await run.tracked;
}
