// What of a request is looked at before anything is done: forms, lengths, and page tokens.
import { type ListTasksRequest, type Message, Role, TaskState } from '@a2a-js/sdk';
import { isKeptId, mostIdBytes } from '../task/kept-id.ts';
import { isTaskState } from '../task/task-state.ts';
import type { PagePlace, TaskQuery } from '../store/task-store.ts';
import { refuse } from './operation-error-map.ts';

const defaultPageSize = 50;
const mostPageSize = 100;

export function checkMessage(message: Message | undefined): Message {
  if (message === undefined) return malformed('a message must be given');
  checkId(message.messageId, 'message.messageId');
  if (message.contextId !== '') checkId(message.contextId, 'message.contextId');
  if (message.taskId !== '') checkId(message.taskId, 'message.taskId');
  if (message.role !== Role.ROLE_USER) return malformed('message.role must be ROLE_USER');
  return message;
}

export function checkId(id: string, name: string): string {
  return isKeptId(id) ? id : malformed(`${name} must be a text of 1 to ${mostIdBytes} bytes`);
}

export function checkHistoryLength(length: number | undefined): number | undefined {
  if (length === undefined || (Number.isInteger(length) && length >= 0)) return length;
  return malformed('historyLength must be a whole number, 0 or more');
}

export function toTaskQuery(request: ListTasksRequest): TaskQuery {
  const { contextId, status, pageToken, statusTimestampAfter } = request;
  const pageSize = request.pageSize ?? defaultPageSize;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > mostPageSize) {
    return malformed(`pageSize must be a whole number from 1 to ${mostPageSize}`);
  }
  const isAnyState = status === TaskState.TASK_STATE_UNSPECIFIED;
  if (!isAnyState && !isTaskState(status)) return malformed('status must be a task state');
  if (contextId !== '') checkId(contextId, 'contextId');
  const statusFromMs = statusTimestampAfter === undefined ? undefined : Date.parse(statusTimestampAfter);
  if (statusFromMs !== undefined && !isKept(statusFromMs)) {
    return malformed('statusTimestampAfter must be an RFC 3339 instant');
  }
  const after = pageToken === '' ? undefined : decodePageToken(pageToken);
  return {
    pageSize,
    ...(contextId !== '' && { contextId }),
    ...(!isAnyState && { state: status }),
    ...(statusFromMs !== undefined && { statusFromMs }),
    ...(after && { after }),
  };
}

export function encodePageToken({ statusMs, taskId }: PagePlace): string {
  return Buffer.from(JSON.stringify([statusMs, taskId])).toString('base64url');
}

function decodePageToken(token: string): PagePlace {
  try {
    const place: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    const [statusMs, taskId] = Array.isArray(place) ? (place as readonly unknown[]) : [];
    if (Number.isSafeInteger(statusMs) && isKept(statusMs as number) && typeof taskId === 'string') {
      return { statusMs: statusMs as number, taskId: checkId(taskId, 'pageToken') };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return malformed('pageToken must be the nextPageToken of a page before');
}

/** Of the years 1 to 9999: no other is an instant of RFC 3339, nor can PostgreSQL keep all that JavaScript can. */
function isKept(ms: number): boolean {
  return ms >= Date.parse('0001-01-01T00:00:00Z') && ms <= Date.parse('9999-12-31T23:59:59.999Z');
}

function malformed(why: string): never {
  refuse({ code: 'malformed', why });
}
