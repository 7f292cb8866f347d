// Recognises the task that a lapse message of ours made, by its message id or by the lapse block it carried.
import type { Task } from '@a2a-js/sdk';
import { METADATA_KEY } from './extension.ts';
import type { LapseRequest } from './lapse-message.ts';
import { isObject } from './shape.ts';

/** Whether the message is in the task's history, or its lapse block is in the history or in the task's own metadata. */
export function isSubmittedBy(task: Pick<Task, 'history' | 'metadata'>, request: LapseRequest): boolean {
  const { message } = request;
  if (task.history.some((entry) => entry.messageId === message.messageId)) return true;
  return [task.metadata, ...task.history.map((entry) => entry.metadata)].some((metadata) => carries(metadata, request));
}

function carries(metadata: unknown, request: LapseRequest): boolean {
  const block = isObject(metadata) ? metadata[METADATA_KEY] : undefined;
  const lapse = isObject(block) ? block['lapse'] : undefined;
  const ours = request.message.metadata[METADATA_KEY].lapse;
  if (!isObject(lapse)) return false;
  return (['expectationId', 'lapse', 'dueAt'] as const).every((name) => lapse[name] === ours[name]);
}
