// What another agent has answered, read once for all who call it.
import { type Message, Task, TaskState } from '@a2a-js/sdk';
import { isList, isObject, readBlock } from '#protocol/pure';
import type { Answer } from './answer.ts';
import type { Expectation } from './expectation.ts';
import { textOf } from './text-of.ts';

export interface RemoteAnswer {
  /** A2A's name of the task's state; completed where the agent answered with a message alone. */
  readonly state: string;
  /** What its artifacts say in words, else its status or message. */
  readonly text: string;
  /** Absent where the agent answered with a message alone. */
  readonly taskId?: string;
  readonly contextId: string;
  /** In A2A's JSON, as they came. */
  readonly artifacts: readonly object[];
  /** What the agent expects by it, unjudged: to be told to whoever watches. */
  readonly expectations: readonly Expectation[];
  /** The Task in A2A's JSON, as a watcher takes it. */
  readonly task?: object;
}

export function remoteAnswerOf(answered: Task | Message): RemoteAnswer {
  if (!('status' in answered)) {
    const { contextId } = answered;
    return { state: 'TASK_STATE_COMPLETED', text: textOf(answered), contextId, artifacts: [], expectations: [] };
  }
  const { id, contextId, status, artifacts } = answered;
  const task = Task.toJSON(answered) as { readonly artifacts?: readonly object[]; readonly status?: object };
  const said = artifacts.map(textOf).filter((text) => text !== '');
  const carriers = [...(task.artifacts ?? []), ...(isObject(task.status) ? [task.status['message']] : [])];
  return {
    state: TaskState[status?.state ?? 0] ?? 'TASK_STATE_UNSPECIFIED',
    text: said.length > 0 ? said.join('\n') : status?.message === undefined ? '' : textOf(status.message),
    taskId: id,
    contextId,
    artifacts: task.artifacts ?? [],
    expectations: carriers.flatMap(expectationsIn),
    task,
  };
}

function expectationsIn(carrier: unknown): readonly Expectation[] {
  const { block } = readBlock(isObject(carrier) ? carrier['metadata'] : undefined, 'metadata');
  const { expectations } = block ?? {};
  return isList(expectations) ? (expectations.filter(isObject) as unknown as readonly Expectation[]) : [];
}

/**
 * The same answer as one's own: a question is asked on, a failure fails. What the other agent expects stays with it: the
 * artifacts are passed on without its blocks.
 */
export function passedOn({ state, text, artifacts }: RemoteAnswer): Answer {
  switch (state) {
    case 'TASK_STATE_COMPLETED':
      return artifacts.length === 0 ? text : { artifacts: artifacts.map(withoutBlock) };
    case 'TASK_STATE_INPUT_REQUIRED':
    case 'TASK_STATE_AUTH_REQUIRED':
      return { ask: text };
    case 'TASK_STATE_REJECTED':
      return { reject: text };
    default:
      return { fail: text === '' ? `The agent that was asked left its task in ${state}.` : text };
  }
}

function withoutBlock(artifact: object): object {
  const {
    metadata: _,
    extensions: __,
    ...rest
  } = artifact as { readonly metadata?: unknown; readonly extensions?: unknown };
  return rest;
}
