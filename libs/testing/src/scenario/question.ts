// Draws questions: expectations about the task whose status carries them, and what extends them.
import fc from 'fast-check';
import { inPercent, present } from './draw.ts';
import type { Content } from './plan.ts';
import { factKeys, taskIds } from './pool.ts';

/** A question about the task whose status carries it, or about another; or what goes on asking, wherever it is seen. */
export interface Question {
  readonly about: string | undefined;
  readonly id: string;
  readonly factKey: string;
  readonly dueInHours: number;
  readonly after: string[] | undefined;
  readonly supersedes: string | undefined;
  readonly anchorId: string | undefined;
}

const questionIds = fc.constantFrom('q0', 'q1', 'q2', 'q3', 'q4', 'q5');
/** In a status message: mostly about its own task. */
export const questions: fc.Arbitrary<Question> = fc.record({
  about: inPercent(12, taskIds),
  id: questionIds,
  factKey: factKeys,
  dueInHours: fc.integer({ min: 0, max: 6 }),
  after: inPercent(30, fc.array(questionIds, { maxLength: 2 })),
  supersedes: inPercent(25, questionIds),
  anchorId: inPercent(25, questionIds),
});

/** In an artifact of any task: goes on asking what another asked. */
export const extensionsOfQuestions: fc.Arbitrary<Question> = fc.record({
  about: taskIds,
  id: questionIds,
  factKey: factKeys,
  dueInHours: fc.integer({ min: 0, max: 6 }),
  after: fc.constant(undefined),
  supersedes: questionIds,
  anchorId: fc.constant(undefined),
});

/** The content of a question about a task. */
export function questionOf(
  expectationId: string,
  taskId: string,
  factKey: string,
  dueAt: string,
  names: Readonly<Record<string, unknown>>,
): Content {
  const subject = { type: 'task', id: taskId };
  const satisfiedBy = { factKey };
  return present({
    expectationId,
    kind: 'answer',
    subject,
    expects: 'an answer',
    satisfiedBy,
    dueAt,
    basis: 'declared',
    ...names,
  });
}
