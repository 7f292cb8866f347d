// What an agent answers with, as the SDK's task: finished, refused, or asking. What its block says goes with it.
import { type Message, Task } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutionEvent, type RequestContext } from '@a2a-js/sdk/server';
import { formatInstant } from '#expectations';
import type { TaskBlock } from './task-block.ts';

export type Eventually<Value> = Value | Promise<Value>;

export type Answer =
  /** Completed, with this text as its artifact. */
  | string
  /** Completed, with artifacts in A2A's JSON; the first carries the block. */
  | { readonly artifacts: readonly object[]; readonly text?: string }
  /** Waits for an answer to this question; the question carries the block (§11). */
  | { readonly ask: string }
  | { readonly reject: string }
  | { readonly fail: string };

/** The task of a request, as answered. */
export function answeredTask(request: RequestContext, answer: Answer, block: TaskBlock, nowMs: number): Task {
  const { taskId, contextId, userMessage, task } = request;
  const { artifacts, state, text } = outcomeOf(answer, block);
  const message = {
    messageId: `${userMessage.messageId}:${state}`,
    taskId,
    contextId,
    role: 'ROLE_AGENT',
    parts: [{ text }],
  };
  const status = {
    state,
    timestamp: formatInstant(nowMs),
    ...(text !== undefined && { message: state === 'TASK_STATE_INPUT_REQUIRED' ? block.on(message) : message }),
  };
  const answered = Task.fromJSON({
    id: taskId,
    contextId,
    status,
    artifacts: artifacts.map((artifact, index) => ({
      artifactId: answerIdOf(userMessage.messageId, index),
      ...artifact,
    })),
  });
  return { ...answered, history: [...earlier(task, userMessage), userMessage] };
}

/** The task of a request that takes its time. */
export function workingTask(request: RequestContext, nowMs: number): Task {
  const { taskId: id, contextId, userMessage, task } = request;
  const status = { state: 'TASK_STATE_WORKING', timestamp: formatInstant(nowMs) };
  return { ...Task.fromJSON({ id, contextId, status }), history: [...earlier(task, userMessage), userMessage] };
}

/** What is new about a task that has worked: its artifacts, then its status. */
export function updatesTo({ id: taskId, contextId, artifacts, status }: Task): readonly AgentExecutionEvent[] {
  const of = { taskId, contextId, metadata: undefined };
  const added = artifacts.map((artifact) =>
    AgentEvent.artifactUpdate({ ...of, artifact, append: false, lastChunk: true }),
  );
  return [...added, AgentEvent.statusUpdate({ ...of, status })];
}

function earlier(task: Task | undefined, { messageId }: Message): readonly Message[] {
  return (task?.history ?? []).filter((message) => message.messageId !== messageId);
}

/** The artifact of an answer that names none: the same where the message is worked on again. */
export function answerIdOf(messageId: string, index = 0): string {
  return `${messageId}:answer${index === 0 ? '' : `-${index + 1}`}`;
}

function outcomeOf(
  answer: Answer,
  block: TaskBlock,
): { readonly state: string; readonly text?: string; readonly artifacts: readonly object[] } {
  if (typeof answer === 'string') return completed([{ parts: [{ text: answer }] }], block);
  if ('ask' in answer) return { state: 'TASK_STATE_INPUT_REQUIRED', text: answer.ask, artifacts: [] };
  if ('reject' in answer) return { state: 'TASK_STATE_REJECTED', text: answer.reject, artifacts: [] };
  if ('fail' in answer) return { state: 'TASK_STATE_FAILED', text: answer.fail, artifacts: [] };
  const { artifacts, text } = answer;
  return { ...completed(artifacts, block), ...(text !== undefined && { text }) };
}

function completed(artifacts: readonly object[], block: TaskBlock): { state: string; artifacts: readonly object[] } {
  const [first = { parts: [] }, ...rest] = artifacts;
  return { state: 'TASK_STATE_COMPLETED', artifacts: [block.on(first), ...rest] };
}
