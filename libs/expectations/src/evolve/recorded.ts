// An expectation becomes open: every index that may have to find it learns of it.
import type { ExpectationRecorded } from '../event.ts';
import { bind } from '../names.ts';
import { addGrace, type Raised, readRaised } from '../raised.ts';
import { hashKey } from '../reported.ts';
import { schedule } from '../schedule.ts';
import type { Agent } from '../state/agent.ts';
import { Expectation, linkAnchor, Mark, Status } from '../state/expectation.ts';
import { withLast } from '../state/short-list.ts';
import type { State } from '../state/state.ts';
import { assert } from '../unreachable.ts';
import { join } from './lists.ts';

export function evolveRecorded(state: State, event: ExpectationRecorded): void {
  const read = readRaised(event.content);
  assert('raised' in read, 'recorded content has been read before it was recorded');
  const { raised } = read;
  const agent = state.agent(event.agentId);
  const expectation = takeName(agent, raised.expectationId);
  fill(state, expectation, raised, event);
  const { taskId, contextId } = event;
  const subject = state.subject(raised.subjectType, raised.subjectId);
  const asksTaskId = event.question ? raised.subjectId : undefined;
  join(state, expectation, { task: state.task(agent, taskId, contextId), contextId, subject, asksTaskId });
  subject.raise(state.factCount);
  bindNames(state, expectation, raised);
  if (state.recent.length > 0) state.recent.advance(hashKey(raised.factKey), agent);
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
  expectation.grace = raised.grace;
  expectation.offset = raised.offset;
  expectation.takeRow(state.columns, raised.contentHash);
  expectation.setInstants(raised.dueAt, addGrace(raised.dueAt, raised.grace), raised.horizon, state.now);
}

function bindNames(state: State, expectation: Expectation, raised: Raised): void {
  const anchor = raised.anchorId === null ? undefined : bind(state, expectation.agent, raised.anchorId);
  if (anchor !== undefined) linkAnchor(expectation, anchor);
  if (raised.after === null) return;
  let after: Expectation[] = [];
  for (const name of raised.after.length > 1 ? new Set(raised.after) : raised.after) {
    const named = bind(state, expectation.agent, name);
    if (named !== undefined) after = withLast(after, named);
  }
  expectation.after = after.length === 0 ? null : after;
}
