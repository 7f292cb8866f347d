// The next message of a task: given to the run that waits for it, in whatever process, or the beginning of another turn.
import { Message } from '@a2a-js/sdk';
import type { Call, Runs } from '../run/runs.ts';
import type { Share, Shares } from '../run/shares.ts';
import type { Run } from '../run/run.ts';
import type { Lease, StoredTask, TaskKey, TaskStore } from '../store/task-store.ts';
import type { TaskEvent } from '../task/task-event.ts';
import { ownedBy } from '../task/task-life.ts';
import { isInterrupted, isOver, stateOf } from '../task/task-state.ts';
import type { Clock } from '#runtime';
import { refuse } from './operation-error-map.ts';

export interface ReplyParts {
  readonly tasks: TaskStore;
  readonly runs: Runs;
  readonly clock: Clock;
  readonly lease: Lease;
  readonly turns: Shares;
}

/** What a message asks for before it is let in. */
export type Asked = Omit<Call, 'share'> & { readonly holder: string };

export interface TakenReply {
  readonly contextId: string;
  /** The task's, before it had the message. */
  readonly versionBefore: number;
  /** Where it is this process's. */
  readonly run?: Run;
}

/** `isOnce`: a message that the task has already is not taken again. Throws A2A's errors where it takes none. */
export async function takeReply(parts: ReplyParts, key: TaskKey, call: Asked, isOnce: boolean): Promise<TakenReply> {
  for (;;) {
    const stored = await parts.tasks.read(key);
    if (stored === undefined) return refuse({ code: 'unknown-task', taskId: key.taskId });
    const known = isOnce && stored.task.history.find(({ messageId }) => messageId === call.message.messageId);
    if (known) return repeated(stored, known, call);
    checkTakes(stored, call);
    const taken =
      stored.run === 'held' ? await handOver(parts, key, stored, call) : await goOn(parts, key, stored, call);
    // Somebody was faster: it is looked at anew.
    if (taken !== undefined) return taken;
  }
}

/** The same message again; another under its id is refused. */
function repeated({ task: { id: taskId, contextId }, version }: StoredTask, known: Message, call: Asked): TakenReply {
  const sent = ownedBy(call.message, { taskId, contextId });
  if (JSON.stringify(Message.toJSON(sent)) !== JSON.stringify(Message.toJSON(known))) {
    refuse({ code: 'malformed', why: 'the idempotency key was sent before, with another message' });
  }
  return { contextId, versionBefore: version };
}

function checkTakes({ task }: StoredTask, { message }: Asked): void {
  if (message.contextId !== '' && message.contextId !== task.contextId) {
    refuse({ code: 'malformed', why: 'message.contextId is not the context of the task' });
  }
  const state = stateOf(task);
  if (isOver(state)) refuse({ code: 'task-over' });
  if (!isInterrupted(state)) refuse({ code: 'task-works' });
}

async function handOver(
  { tasks, clock }: ReplyParts,
  key: TaskKey,
  { task, version }: StoredTask,
  call: Asked,
): Promise<TakenReply | undefined> {
  const answer = await tasks.append(key, { version }, [received(call, clock)]);
  return 'refused' in answer ? undefined : { contextId: task.contextId, versionBefore: version };
}

async function goOn(
  parts: ReplyParts,
  key: TaskKey,
  stored: StoredTask,
  asked: Asked,
): Promise<TakenReply | undefined> {
  // A question that was held in a process is gone with it: its task is ended, by whoever finds it.
  if (stored.run === 'abandoned') refuse({ code: 'task-works' });
  const share = takeTurn(parts.turns, asked.holder);
  let taken: TakenReply | undefined;
  try {
    taken = await begin(parts, key, stored, { ...asked, share });
    return taken;
  } finally {
    if (taken === undefined) share.free();
  }
}

/** Throws A2A's error where there are as many as there may be. */
export function takeTurn(turns: Shares, holder: string): Share {
  return turns.take(holder) ?? refuse({ code: 'too-much-at-once', what: 'turns' });
}

async function begin(
  { tasks, clock, lease, runs }: ReplyParts,
  key: TaskKey,
  { version }: StoredTask,
  call: Call & Asked,
): Promise<TakenReply | undefined> {
  const epoch = await tasks.takeOver(key, lease);
  if (epoch === undefined) return undefined;
  const answer = await tasks.append(key, { epoch, version }, [received(call, clock)]);
  const stored = await tasks.read(key);
  if ('refused' in answer || stored === undefined) {
    await tasks.append(key, { epoch }, [], 'release');
    return undefined;
  }
  return { contextId: stored.task.contextId, versionBefore: version, run: runs.goOn(call, stored, key, epoch) };
}

function received({ message, reminders }: Asked, clock: Clock): TaskEvent {
  const at = new Date(clock.now()).toISOString();
  return { type: 'messageReceived', at, message, ...(reminders.length > 0 && { reminders }) };
}
