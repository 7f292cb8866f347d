// An inject as inputs of its context. A task that began before its card claimed reminders is opened by the first.
import type { InjectRequest, Input, Refused } from '#reminders';

export function injectInputs(
  taskId: string,
  isTerminal: boolean,
  request: InjectRequest,
  at: string,
  newId: string,
): readonly Input[] {
  const inject: Input = { type: 'reminderInjected', at, isTerminal, newId, ...request, taskId };
  return isTerminal ? [inject] : [{ type: 'taskOpened', at, taskId }, inject];
}

export const unknownTask: Refused = {
  refusal: { code: 'task_not_found', field: 'taskId', message: 'no such task' },
};
