// Questions (§11): satisfied when their task goes on, or when the agent has accepted the answer.
import type { AnswerObserved } from './input.ts';
import { judgeGaps, type Revealing } from './gap.ts';
import { satisfyAll } from './satisfy.ts';
import { bySeq, type Expectation } from './state/expectation.ts';
import type { Task } from './state/task.ts';
import type { Turn } from './turn.ts';

/** A watcher that is the client saw the answer accepted. */
export function answer(turn: Turn, input: AnswerObserved): void {
  const task = turn.state.agents.get(input.agentId)?.tasks.get(input.taskId);
  if (task === undefined) return;
  const answered = questionsOf(task).filter(({ id }) => input.except?.includes(id) !== true);
  satisfyQuestions(turn, answered, 'answer', input.reporter);
}

/** The open questions about a task, in the order of recording. */
export function questionsOf(task: Task): Expectation[] {
  return [...task.questions].sort(bySeq);
}

/** Satisfies questions now, as facts on their task, and judges the gaps that leaves. */
export function satisfyQuestions(
  turn: Turn,
  questions: readonly Expectation[],
  how: 'answer' | 'state',
  source: string,
): void {
  const revealing: Revealing[] = [];
  satisfyAll(turn, questions, { receivedAt: turn.now, observedAt: turn.now, source, how }, revealing);
  judgeGaps(turn, revealing);
}

/** The source of a satisfaction seen from the task's state alone. */
export const TASK_STATE_SOURCE = 'task-state';
