// The lists an open expectation stands in: joined when it opens, or is restored, and left when it closes.
import { dropUnneededTask } from '../memory.ts';
import type { Expectation } from '../state/expectation.ts';
import { withLast } from '../state/short-list.ts';
import type { State } from '../state/state.ts';
import type { Subject } from '../state/subject.ts';
import type { Task } from '../state/task.ts';

/** What an expectation belongs to. */
export interface Belongings {
  readonly task: Task;
  readonly contextId: string;
  readonly subject: Subject;
  /** The task it asks about, which is its subject, whoever raised it (semantics, *Task states and questions*). */
  readonly asksTaskId: string | undefined;
}

/** In the order of recording. */
export function join(
  state: State,
  expectation: Expectation,
  { task, contextId, subject, asksTaskId }: Belongings,
): void {
  expectation.task = task;
  expectation.contextId = task.contextId === contextId ? task.contextId : contextId;
  expectation.taskAt = task.raised.length;
  task.raised = withLast(task.raised, expectation);
  expectation.subject = subject;
  expectation.subjectAt = subject.open.length;
  subject.open = withLast(subject.open, expectation);
  if (asksTaskId !== undefined) {
    expectation.asks = state.task(expectation.agent, asksTaskId, contextId);
    expectation.questionAt = expectation.asks.questions.push(expectation) - 1;
  }
  awaitFact(state, expectation);
  expectation.agent.openCount += 1;
  state.openCount += 1;
}

/** A subject on which nothing is open any more, and a task of which nothing is to be known, go with it. */
export function leave(state: State, expectation: Expectation): void {
  const { subject, task, asks } = expectation;
  stopAwaiting(state, expectation);
  if (subject !== null) leaveSubject(state, expectation, subject);
  if (task !== null) takeOut(task.raised, expectation.taskAt, (moved, at) => (moved.taskAt = at));
  if (asks !== null) takeOut(asks.questions, expectation.questionAt, (moved, at) => (moved.questionAt = at));
  for (const left of asks === task ? [task] : [task, asks]) if (left?.isNeeded === false) letGoOfTask(state, left);
  expectation.agent.openCount -= 1;
  state.openCount -= 1;
}

function awaitFact(state: State, expectation: Expectation): void {
  const waiting = state.waiting.get(expectation.factKey);
  if (waiting === undefined) state.waiting.set(expectation.factKey, expectation);
  else if (waiting instanceof Set) waiting.add(expectation);
  else state.waiting.set(expectation.factKey, new Set([waiting, expectation]));
}

function stopAwaiting(state: State, expectation: Expectation): void {
  const waiting = state.waiting.get(expectation.factKey);
  if (waiting instanceof Set) waiting.delete(expectation);
  if (waiting === expectation || (waiting instanceof Set && waiting.size === 0)) {
    state.waiting.delete(expectation.factKey);
  }
}

function leaveSubject(state: State, expectation: Expectation, subject: Subject): void {
  takeOut(subject.open, expectation.subjectAt, (moved, at) => (moved.subjectAt = at));
  subject.unsilenced?.delete(expectation);
  if (subject.open.length === 0) state.dropSubject(subject);
}

function letGoOfTask(state: State, task: Task): void {
  if (task.isOverstayed) state.overstayed.add(task);
  dropUnneededTask(task);
}

/** Fills the place with the last one. */
function takeOut(list: Expectation[], at: number, moved: (expectation: Expectation, at: number) => void): void {
  const last = list.pop();
  if (last === undefined || at === list.length) return;
  list[at] = last;
  moved(last, at);
}
