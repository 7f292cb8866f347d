// Applies a task's state, and answers its questions (semantics, *Task states and questions*).
import { readInstant } from './instant.ts';
import { withdraw } from './lapse.ts';
import { judgeGaps, reanchorBehind, satisfy } from './satisfy.ts';
import { isInterrupted, isTerminal, withdrawalOf } from './task-state.ts';
import { isSameSubject, nextMoment, openOnes } from './world.ts';
import type { Expectation, Task, World } from './world.ts';

/** Where a status is of. */
export interface OfTask {
  readonly agentId: string;
  readonly taskId: string;
}

/** What became of a state: applied, or ignored because the task has gone on to something else, or for another reason. */
export type StateOutcome = 'applied' | 'gone on' | 'ignored';

/** Applies a state unless its task has ended, it is older than the latest seen, or it is no state. */
export function applyState(world: World, of: OfTask, state: unknown, statusAt: unknown): StateOutcome {
  if (typeof state !== 'string') return 'ignored';
  const task = world.tasks.find((one) => one.agentId === of.agentId && one.taskId === of.taskId);
  if (task !== undefined && isTerminal(task.state)) {
    return task.state === 'TASK_STATE_COMPLETED' ? 'gone on' : 'ignored';
  }
  const said = readInstant(statusAt);
  const saidAt = said === undefined ? undefined : Math.min(said, world.now);
  const isOlder = saidAt !== undefined && task?.statusAt !== undefined && saidAt < task.statusAt;
  if (isOlder && !isTerminal(state)) {
    world.happened.push('status stale');
    return 'gone on';
  }
  const before = task?.state;
  setState(world, of, task, state, saidAt);
  const cause = withdrawalOf(state);
  if (cause !== undefined) {
    for (const one of openOnes(world)) {
      if (isRaisedBy(one, of) || isQuestionAbout(one, of)) withdraw(world, one, cause);
    }
  } else if (before !== undefined && isInterrupted(before) && !isInterrupted(state)) {
    answer(world, of, questionsAbout(world, of), 'task-state', 'satisfied:state');
  }
  return 'applied';
}

function setState(world: World, of: OfTask, task: Task | undefined, state: string, statusAt: number | undefined): void {
  if (task === undefined) {
    world.tasks.push({ agentId: of.agentId, taskId: of.taskId, state, statusAt, appliedAt: world.now });
    return;
  }
  task.state = state;
  task.statusAt = statusAt ?? task.statusAt;
  task.appliedAt = world.now;
}

export function isRaisedBy(expectation: Expectation, of: OfTask): boolean {
  return expectation.agentId === of.agentId && expectation.taskId === of.taskId;
}

export function isQuestionAbout(expectation: Expectation, of: OfTask): boolean {
  return (
    expectation.question &&
    expectation.agentId === of.agentId &&
    isSameSubject(expectation.subject, { type: 'task', id: of.taskId })
  );
}

/** The open questions about a task. */
export function questionsAbout(world: World, of: OfTask): Expectation[] {
  return openOnes(world).filter((one) => isQuestionAbout(one, of));
}

/** Satisfies questions about one task by one answer, which is a fact on the task. */
export function answer(world: World, of: OfTask, questions: readonly Expectation[], source: string, how: string): void {
  if (questions.length === 0) return;
  const subject = { type: 'task', id: of.taskId };
  world.factsOnSubjects.push({ subject, moment: nextMoment(world), observedAt: world.now });
  for (const question of questions) {
    satisfy(world, question, { receivedAt: world.now, observedAt: world.now, source });
    world.happened.push(how);
  }
  for (const question of questions) reanchorBehind(world, question);
  judgeGaps(world, questions);
}
