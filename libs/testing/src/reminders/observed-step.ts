// What anybody can see of one input as the library decides it, in the model's words.
import type { step as libraryStep } from '#reminders';
import { defaultBounds, type Input, type State } from '#reminders';
import type { Observed } from './naive-reminders.ts';

/** The library's `step`, or that of a copy with a fault planted. */
export type Step = typeof libraryStep;

/** The state after the input, and what was seen of it. Throws as `step` does. */
export function observedStep(
  step: Step,
  state: State,
  input: Input,
  livePerTaskCount: number,
): { readonly after: State; readonly observed: Observed } {
  const stepped = step(state, input, { ...defaultBounds, livePerTaskCount });
  if ('refusal' in stepped) return { after: state, observed: { answer: stepped.refusal.code, told: [], updates: [] } };
  const { state: after, told, updates } = stepped;
  const answer = 'answer' in stepped && `${stepped.answer.reminderId} displaced ${stepped.answer.dedupedCount}`;
  return {
    after,
    observed: {
      ...(answer !== false && { answer }),
      told: told.flatMap(({ taskId, when, reminders }) =>
        reminders.map(({ id, body, firedAtTurn }) => `${taskId} ${when} ${id}: ${body} ${firedAtTurn}`),
      ),
      updates: updates
        .map(({ taskId, reminder, reason }) => `${taskId} ${reason ?? 'accepted'} ${reminder.id}: ${reminder.body}`)
        .sort(),
    },
  };
}
