// What callers are shown of a task: as long a history as they asked for, and its events as a stream has them.
import { type Message, Part, Role, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import type { TaskEvent } from './task-event.ts';
import { ownedBy, type TaskIdentity } from './task-life.ts';

/** Undefined: all of it; 0: none. */
export function withHistory(task: Task, historyLength: number | undefined): Task {
  if (historyLength === undefined) return task;
  return { ...task, history: historyLength === 0 ? [] : task.history.slice(-historyLength) };
}

/** What is told to everybody alike. */
export type ToldEvent = Exclude<TaskEvent, { readonly type: 'reminderUpdated' }>;

/** The event as who follows the task gets it; reminders are told each as they can read them. */
export function toStreamResponse(event: ToldEvent, { taskId, contextId }: TaskIdentity): StreamResponse {
  const identity = { taskId, contextId };
  if (event.type === 'artifactUpdated') {
    const { artifact, append, lastChunk } = event;
    const value = { ...identity, artifact, append, lastChunk, metadata: undefined };
    return { payload: { $case: 'artifactUpdate', value } };
  }
  const metadata = event.type === 'progressReported' ? event.metadata : undefined;
  const said = event.type === 'statusChanged' || event.type === 'progressReported' ? event.message : undefined;
  const message = said && ownedBy(said, identity);
  const status = { state: toldState(event), message, timestamp: event.at };
  return { payload: { $case: 'statusUpdate', value: { ...identity, status, metadata } } };
}

function toldState(event: TaskEvent): TaskState {
  if (event.type === 'statusChanged') return event.state;
  return event.type === 'submitted' ? TaskState.TASK_STATE_SUBMITTED : TaskState.TASK_STATE_WORKING;
}

/** What was answered, as one Message: of the turn that needed no task. */
export function toDirectMessage(task: Task, messageId: string): Message {
  const [first] = task.artifacts;
  const said = task.status?.message;
  const parts = [...task.artifacts.flatMap((artifact) => artifact.parts), ...(said?.parts ?? [])];
  return {
    messageId,
    contextId: task.contextId,
    taskId: '',
    role: Role.ROLE_AGENT,
    // A message has a part at least (A2A §5.7): the handler has completed, and said nothing.
    parts: parts.length === 0 ? [Part.fromJSON({ text: '' })] : parts,
    metadata: first?.metadata,
    extensions: [...new Set(task.artifacts.flatMap(({ extensions }) => extensions))],
    referenceTaskIds: [],
  };
}
