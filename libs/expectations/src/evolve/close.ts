// An expectation closes: every index lets go of it, and *Memory* keeps what it may.
import { identityOfOpen, knownAncestors } from '../lineage.ts';
import { unbind } from '../names.ts';
import { hashSubject } from '../state/closed-memory.ts';
import { type Expectation, Status, unlinkAnchor } from '../state/expectation.ts';
import type { State } from '../state/state.ts';
import type { Subject } from '../state/subject.ts';
import { assert } from '../unreachable.ts';
import { leave } from './lists.ts';

export interface Closing {
  readonly satisfied: boolean;
  /** Epoch milliseconds; 0 where it was withdrawn. */
  readonly observedAt: number;
  readonly successor?: Expectation;
}

/** What hangs from it stays listed at it until it is re-anchored or let go. */
export function close(state: State, expectation: Expectation, closing: Closing): void {
  const { subject } = expectation;
  assert(expectation.isOpen && subject !== null, 'only what is open closes');
  state.deadlines.remove(expectation);
  letGoOfNames(state, expectation, subject, closing.satisfied);
  leave(state, expectation);
  expectation.agent.names.delete(expectation.id);
  const position = state.closed.add({
    agentIndex: expectation.agent.index,
    expectationId: expectation.id,
    contentHash: expectation.contentHash,
    subjectHash: hashSubject(subject.type, subject.id),
    satisfied: closing.satisfied,
    observedAt: closing.observedAt,
    closedAt: state.now,
    successor: closing.successor,
  });
  const predecessor = expectation.ancestors?.at(-1);
  if (predecessor !== undefined) state.closed.succeed(predecessor.position, position);
  if (closing.successor !== undefined) {
    expectation.successor = closing.successor;
    const own = { identityHash: identityOfOpen(expectation), position };
    closing.successor.ancestors = [...knownAncestors(state, expectation), own];
  }
  wipe(state, expectation);
}

/** What it named and was not recorded yet remembers that it was satisfied: recorded later, it is skipped at once. */
function letGoOfNames(state: State, expectation: Expectation, subject: Subject, satisfied: boolean): void {
  const { anchor, after } = expectation;
  unlinkAnchor(expectation);
  if (anchor !== null) unbind(anchor);
  if (after === null) return;
  for (const named of after) {
    if (satisfied && named.status === Status.unknown) {
      (named.namers ??= []).push({
        expectationId: expectation.id,
        seq: expectation.seq,
        subjectType: subject.type,
        subjectId: subject.id,
        closedAt: state.now,
      });
      state.namings.push({ at: state.now, named });
    }
    unbind(named);
  }
}

/** Other names may hold on to it for long: it must not hold on to what it said. */
function wipe(state: State, expectation: Expectation): void {
  expectation.giveBackRow(state.columns);
  expectation.status = Status.closed;
  expectation.subject = expectation.task = expectation.asks = null;
  expectation.ancestors = expectation.after = expectation.namers = null;
  expectation.grace = expectation.offset = null;
  expectation.kind = expectation.expects = expectation.factKey = expectation.contextId = '';
}
