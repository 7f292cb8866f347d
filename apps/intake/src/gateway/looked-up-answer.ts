// Whether a task, as it was looked up, shows that its agent has accepted a client's answer (§11). It must never take for
// answered what the agent has asked since.
import type { UntimedInput } from '#event-log';
import { isList, isObject, member, roleName } from '#protocol';
import type { ForwardedSend } from '#runtime';
import { askedBy, askedIn, stateOf } from './answer.ts';

/** A client's message that was for a task of the agent's already. */
export type NotedAnswer = Pick<ForwardedSend, 'agentId' | 'taskId' | 'messageId' | 'answerReporter'>;

/** What is to be told; nothing where the message is none to an existing task, or the agent does not show it. */
export function lookedUpAnswer(
  task: unknown,
  { agentId, taskId, messageId, answerReporter: reporter }: NotedAnswer,
): readonly UntimedInput[] {
  if (reporter === null || taskId === null || messageId === null) return [];
  if (stateOf({ task }) === 'TASK_STATE_REJECTED') return [];
  const history = isObject(task) ? member(task, 'history') : undefined;
  const messages = isList(history) ? history.filter(isObject) : [];
  const at = messages.findIndex(
    (message) => member(message, 'messageId') === messageId && roleName(member(message, 'role')) === 'ROLE_USER',
  );
  if (at === -1) return [];
  const except = [...new Set([...messages.slice(at + 1).flatMap(askedBy), ...askedIn({ task })])];
  return [{ type: 'answerObserved', agentId, taskId, reporter, ...(except.length > 0 && { except }) }];
}
