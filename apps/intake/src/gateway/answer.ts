// What an agent's answer, or one event of its stream, says of its work: read from a copy, in the shapes of 1.0 and 0.3.
// It must never take for the agent's work what the agent has not answered.
import {
  isList,
  isObject,
  isUsableId,
  type JsonObject,
  member,
  readBlock,
  readStreamPart,
  stateName,
  taskIdOf,
} from '#protocol';
import type { Seen } from '../sightings.ts';
import type { GatewayInterface } from './gateway-interfaces.ts';
import type { Operation } from './operation.ts';

/** What of the exchange says how its answer is read. */
interface Asked {
  readonly via: Pick<GatewayInterface, 'binding'>;
  readonly operation: Pick<Operation, 'answers' | 'taskId'>;
}

export interface Answer {
  /** The agent says no, whatever else it says. */
  readonly isError: boolean;
  /** Tasks, messages and updates, in order. */
  readonly seen: readonly Seen[];
}

/** What the answer to such an operation says. Never throws. `status` is HTTP's: with an error comes nobody's work. */
export function readAnswer(value: unknown, { operation, via }: Asked, status: number): Answer {
  const payload = via.binding === 'rest' ? value : isObject(value) ? value['result'] : undefined;
  const work = seenIn(payload);
  const hasError = isObject(value) && (value['error'] ?? null) !== null;
  const isError = status >= 400 || (hasError && !(via.binding === 'rest' && work.length > 0));
  return { isError, seen: status >= 400 ? [] : work.filter((seen) => isAnswerTo(seen, operation)) };
}

/** Whether the operation is answered so, and the task is the one that it asks for. */
function isAnswerTo(seen: Seen, { answers, taskId }: Asked['operation']): boolean {
  switch (answers) {
    case 'reply':
      return true;
    case 'tasks':
      return 'task' in seen;
    case 'task':
      return 'task' in seen && taskIdOf(seen) === taskId;
    case 'events':
      return taskIdOf(seen) === taskId;
    case 'nothing':
      return false;
  }
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
  return askedBy(status === undefined ? undefined : member(status, 'message'));
}

/** The same of the message itself. */
export function askedBy(message: unknown): readonly string[] {
  const { block } = readBlock(isObject(message) ? member(message, 'metadata') : undefined, '');
  return (block?.expectations ?? []).flatMap((raised) => {
    const id = isObject(raised) ? raised['expectationId'] : undefined;
    return isUsableId(id) ? [id] : [];
  });
}

function seenIn(payload: unknown): readonly Seen[] {
  const tasks = isObject(payload) && payload['kind'] === undefined ? payload['tasks'] : undefined;
  return (isList(tasks) ? tasks : [payload]).flatMap((one) => readStreamPart(one) ?? []);
}
