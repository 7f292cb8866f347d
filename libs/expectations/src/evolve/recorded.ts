// An expectation becomes open: every index that may have to find it learns of it.
import type { ExpectationRecorded } from '../event.ts';
import { addDuration } from '../duration.ts';
import { bind, findExactly } from '../names.ts';
import { addGrace, type Raised, readRaised } from '../raised.ts';
import { schedule } from '../schedule.ts';
import type { Agent } from '../state/agent.ts';
import { awaitFact } from './waiting.ts';
import { type Ancestor, Expectation, linkAnchor, Mark, Status } from '../state/expectation.ts';
import type { State } from '../state/state.ts';
import type { Task } from '../state/task.ts';
import { assert } from '../unreachable.ts';

export function evolveRecorded(state: State, event: ExpectationRecorded): void {
  const read = readRaised(event.content);
  assert('raised' in read, 'recorded content has been read before it was recorded');
  const { raised } = read;
  const agent = state.agent(event.agentId);
  const task = state.task(agent, event.taskId, event.contextId);
  const expectation = takeName(agent, raised.expectationId);
  fill(state, expectation, raised, event);
  expectation.contextId = task.contextId === event.contextId ? task.contextId : event.contextId;
  enlist(state, expectation, task);
  if (event.question) ask(state, expectation, raised.subjectId);
  bindNames(state, expectation, raised);
  schedule(state, expectation);
}

function takeName(agent: Agent, expectationId: string): Expectation {
  const expectation = agent.names.get(expectationId) ?? new Expectation(agent, expectationId);
  assert(expectation.status === Status.unknown, 'a recorded id must not name something open');
  agent.names.set(expectationId, expectation);
  return expectation;
}

function fill(state: State, expectation: Expectation, raised: Raised, event: ExpectationRecorded): void {
  state.recordedCount += 1;
  expectation.status = Status.open;
  expectation.seq = state.recordedCount;
  expectation.marks = event.question ? Mark.question : 0;
  expectation.lineage = event.lineage;
  expectation.raisedAtFact = state.factCount;
  expectation.kind = expectation.agent.kinds.get(raised.kind)?.kind ?? raised.kind;
  expectation.expects = raised.expects;
  expectation.factKey = raised.factKey;
  expectation.contentHash = raised.contentHash;
  expectation.identityHash = raised.identityHash;
  expectation.grace = raised.grace;
  expectation.offset = raised.offset;
  expectation.ancestors = ancestorsOf(state, expectation.agent, raised);
  expectation.columns = state.columns;
  expectation.row = state.columns.take();
  expectation.setInstants(raised.dueAt, addGrace(raised.dueAt, raised.grace), raised.horizon, state.now);
}

/** What it replaces, and the ancestors of that which are remembered. */
function ancestorsOf(state: State, agent: Agent, raised: Raised): readonly Ancestor[] | null {
  if (raised.supersedes === null) return null;
  const predecessor = findExactly(state, agent, raised.supersedes)?.open;
  if (predecessor?.identityHash == null) return null;
  const { identityHash } = predecessor;
  return [...knownAncestors(state, predecessor), { identityHash, closedAt: state.now }];
}

/** Its ancestors as far as *Memory* has them. */
export function knownAncestors(state: State, expectation: Expectation): readonly Ancestor[] {
  const { ancestors } = expectation;
  if (ancestors === null) return [];
  return ancestors.filter((ancestor) => addDuration(ancestor.closedAt, state.closedMemory) >= state.now);
}

function enlist(state: State, expectation: Expectation, task: Task): void {
  expectation.task = task;
  expectation.taskAt = task.raised.push(expectation) - 1;
  awaitFact(state, expectation);
}

/** The task it asks about is its subject, whoever raised it (semantics, *Task states and questions*). */
function ask(state: State, expectation: Expectation, taskId: string): void {
  const asks = state.task(expectation.agent, taskId, expectation.contextId);
  expectation.asks = asks;
  expectation.questionAt = asks.questions.push(expectation) - 1;
}

function bindNames(state: State, expectation: Expectation, raised: Raised): void {
  const subject = state.subject(raised.subjectType, raised.subjectId);
  expectation.subject = subject;
  expectation.subjectAt = subject.open.push(expectation) - 1;
  subject.raise(state.factCount);
  const anchor = raised.anchorId === null ? undefined : bind(state, expectation.agent, raised.anchorId);
  if (anchor !== undefined) linkAnchor(expectation, anchor);
  if (raised.after === null) return;
  const names = [...new Set(raised.after)];
  const after = names.map((named) => bind(state, expectation.agent, named)).filter((named) => named !== undefined);
  expectation.after = after.length === 0 ? null : after;
}
