// What an agent's answer, or one event of its stream, says of its work: read from a copy, in the shapes of 1.0 and 0.3.
// It must never take for the agent's work what the agent has not answered.
import { isList, isObject, isUsableId, type JsonObject, member, readBlock, stateName } from '#protocol';
import type { Seen } from '../sightings.ts';
import type { Binding } from './gateway-interfaces.ts';

export interface Answer {
  /** The agent says no, whatever else it says. */
  readonly isError: boolean;
  /** Tasks, messages and updates, in order. */
  readonly seen: readonly Seen[];
}

/** Never throws. `status` is HTTP's. */
export function readAnswer(value: unknown, binding: Binding, status: number): Answer {
  const envelopes = isList(value) ? value : [value];
  const isError =
    status >= 400 || envelopes.some((each) => isObject(each) && (each['error'] ?? null) !== null && !isWork(each));
  const payloads =
    binding === 'rest' ? envelopes : envelopes.map((each) => (isObject(each) ? each['result'] : undefined));
  return { isError, seen: payloads.flatMap(seenIn) };
}

/** The id of the task that it is about; undefined where it is about none. */
export function taskIdOf(seen: Seen): unknown {
  if ('task' in seen) return isObject(seen.task) ? member(seen.task, 'id') : undefined;
  const [about] = Object.values(seen) as readonly unknown[];
  return isObject(about) ? member(about, 'taskId') : undefined;
}

/** The status that it gives its task, if any. */
export function statusOf(seen: Seen): JsonObject | undefined {
  const holder = 'task' in seen ? seen.task : 'statusUpdate' in seen ? seen.statusUpdate : undefined;
  const status = isObject(holder) ? member(holder, 'status') : undefined;
  return isObject(status) ? status : undefined;
}

/** The state by its name in 1.0. */
export function stateOf(seen: Seen): string | null {
  const status = statusOf(seen);
  return status === undefined ? null : stateName(member(status, 'state'));
}

/** The ids of the expectations that its status message raises: what the agent asks by it (§11). */
export function askedIn(seen: Seen): readonly string[] {
  const status = statusOf(seen);
  const message = status === undefined ? undefined : member(status, 'message');
  const { block } = readBlock(isObject(message) ? member(message, 'metadata') : undefined, '');
  return (block?.expectations ?? []).flatMap((raised) => {
    const id = isObject(raised) ? raised['expectationId'] : undefined;
    return isUsableId(id) ? [id] : [];
  });
}

function seenIn(payload: unknown): readonly Seen[] {
  if (!isObject(payload)) return [];
  switch (payload['kind']) {
    case 'task':
      return [{ task: payload }];
    case 'message':
      return [{ message: payload }];
    case 'status-update':
      return [{ statusUpdate: payload }];
    case 'artifact-update':
      return [{ artifactUpdate: payload }];
    default:
      return seenWithin(payload);
  }
}

/** What has no `kind`, as in 1.0. */
function seenWithin(payload: JsonObject): readonly Seen[] {
  if (isTask(payload)) return [{ task: payload }];
  if (Object.hasOwn(payload, 'role') && member(payload, 'messageId') !== undefined) return [{ message: payload }];
  const tasks = payload['tasks'];
  if (isList(tasks)) return tasks.filter(isTask).map((task) => ({ task }));
  const message = member(payload, 'message') ?? payload['msg'];
  if (isObject(message)) return [{ message }];
  const task = payload['task'];
  if (isObject(task)) return [{ task }];
  const statusUpdate = member(payload, 'statusUpdate');
  if (isObject(statusUpdate)) return [{ statusUpdate }];
  const artifactUpdate = member(payload, 'artifactUpdate');
  return isObject(artifactUpdate) ? [{ artifactUpdate }] : [];
}

function isTask(value: unknown): boolean {
  return isObject(value) && member(value, 'id') !== undefined && isObject(member(value, 'status'));
}

function isWork(value: JsonObject): boolean {
  return seenIn(value).length > 0;
}
