// The life of a task as A2A has it: events in, the task out. Pure: no clock, no store, no agent.
// It must never let anything happen to a task that is over.
import { type Artifact, type Message, type Task, TaskState } from '@a2a-js/sdk';
import type { TaskEvent } from './task-event.ts';
import { isOver, isTaskState } from './task-state.ts';

export type TaskRefusal = 'not-submitted' | 'submitted-twice' | 'over' | 'not-waiting' | 'no-such-state';

/** Why the event cannot happen to a task of that state (undefined before the first); undefined where it can. */
export function refusalOf(state: TaskState | undefined, event: TaskEvent): TaskRefusal | undefined {
  if (state === undefined) return event.type === 'submitted' ? undefined : 'not-submitted';
  if (event.type === 'submitted') return 'submitted-twice';
  if (isOver(state)) return 'over';
  if (event.type === 'messageReceived' && state !== TaskState.TASK_STATE_INPUT_REQUIRED) return 'not-waiting';
  if (event.type !== 'statusChanged') return undefined;
  // A task is submitted once, and never in no state at all.
  const isKnown = event.state !== TaskState.TASK_STATE_SUBMITTED && isTaskState(event.state);
  return isKnown ? undefined : 'no-such-state';
}

/** The state after an event that may happen. */
export function stateAfter(state: TaskState | undefined, event: TaskEvent): TaskState {
  switch (event.type) {
    case 'submitted':
      return TaskState.TASK_STATE_SUBMITTED;
    case 'messageReceived':
      return TaskState.TASK_STATE_WORKING;
    case 'statusChanged':
      return event.state;
    case 'artifactUpdated':
    case 'progressReported':
    case 'reminderUpdated':
      return state ?? TaskState.TASK_STATE_UNSPECIFIED;
  }
}

/** Has the task another status after it? */
export function changesStatus({ type }: TaskEvent): boolean {
  return type === 'statusChanged' || type === 'messageReceived';
}

/** The first refusal of events that happen one after the other. */
export function firstRefusal(state: TaskState | undefined, events: readonly TaskEvent[]): TaskRefusal | undefined {
  let now = state;
  for (const event of events) {
    const refusal = refusalOf(now, event);
    if (refusal !== undefined) return refusal;
    now = stateAfter(now, event);
  }
  return undefined;
}

export interface TaskIdentity {
  readonly taskId: string;
  readonly contextId: string;
}

/** The task after the event. Total: who appends has asked `refusalOf` first. The task that went in is not changed. */
export function evolveTask(task: Task | undefined, event: TaskEvent, identity: TaskIdentity): Task {
  if (task === undefined || event.type === 'submitted') return submitted(event, identity);
  switch (event.type) {
    case 'messageReceived':
      return withStatus(
        { ...task, history: [...told(task), ownedBy(event.message, identity)] },
        TaskState.TASK_STATE_WORKING,
        event.at,
      );
    case 'statusChanged':
      return withStatus(
        { ...task, history: told(task) },
        event.state,
        event.at,
        event.message && ownedBy(event.message, identity),
      );
    case 'artifactUpdated':
      return { ...task, artifacts: withArtifact(task.artifacts, event.artifact, event.append) };
    case 'progressReported':
    case 'reminderUpdated':
      return task;
  }
}

function submitted(event: TaskEvent, identity: TaskIdentity): Task {
  const history = event.type === 'submitted' ? [ownedBy(event.message, identity)] : [];
  const task = { id: identity.taskId, contextId: identity.contextId, artifacts: [], history, metadata: {} };
  return withStatus({ ...task, status: undefined }, TaskState.TASK_STATE_SUBMITTED, event.at);
}

/** The message as one of the task's: a client's first names neither, nor does what the agent says. */
export function ownedBy(message: Message, { taskId, contextId }: TaskIdentity): Message {
  return { ...message, taskId, contextId };
}

function withStatus(task: Task, state: TaskState, at: string, message?: Message): Task {
  return { ...task, status: { state, message, timestamp: at } };
}

/** What the last status said is history once there is another. */
function told(task: Task): Message[] {
  const said = task.status?.message;
  return said === undefined ? task.history : [...task.history, said];
}

function withArtifact(artifacts: readonly Artifact[], update: Artifact, isAppended: boolean): Artifact[] {
  const at = artifacts.findIndex(({ artifactId }) => artifactId === update.artifactId);
  const known = artifacts[at];
  if (known === undefined) return [...artifacts, update];
  return artifacts.with(at, isAppended ? continued(known, update) : update);
}

function continued(known: Artifact, more: Artifact): Artifact {
  return {
    ...known,
    name: more.name || known.name,
    description: more.description || known.description,
    parts: [...known.parts, ...more.parts],
    metadata: known.metadata || more.metadata ? { ...known.metadata, ...more.metadata } : undefined,
    extensions: [...new Set([...known.extensions, ...more.extensions])],
  };
}

/** The fold of events over what is known. */
export function foldTask(
  task: Task | undefined,
  events: readonly TaskEvent[],
  identity: TaskIdentity,
): Task | undefined {
  return events.reduce<Task | undefined>((now, event) => evolveTask(now, event, identity), task);
}
