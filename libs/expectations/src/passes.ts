// What already happened is applied to all that an artifact recorded, in four passes (semantics, *Recording*).
import { judgeGaps, type Revealing } from './gap.ts';
import { lapse, suspend, suspendBehind } from './lapse.ts';
import { findLatest } from './names.ts';
import type { Carrier } from './carrier.ts';
import type { Recorded } from './record.ts';
import { hashKey } from './reported.ts';
import { reanchor, satisfyAll } from './satisfy.ts';
import { type Expectation, Mark, resolve } from './state/expectation.ts';
import { withdrawingStates } from './state/task.ts';
import type { RecentFact } from './state/recent-facts.ts';
import type { Turn } from './turn.ts';
import { withdraw } from './withdraw.ts';

export function applyPasses(turn: Turn, carrier: Carrier, recorded: readonly Recorded[]): void {
  if (recorded.length === 0) return;
  withdrawEnded(turn, carrier, recorded);
  for (const one of recorded) if (one.expectation.isOpen) applyAnchor(turn, one);
  applyEarlyFacts(turn, carrier, recorded);
  for (const one of recorded) if (one.expectation.isOpen) applyNamers(turn, one);
}

/** Pass 1: its task has been canceled, failed or rejected already. */
function withdrawEnded(turn: Turn, carrier: Carrier, recorded: readonly Recorded[]): void {
  const cause = withdrawingStates.get(carrier.agent.tasks.get(carrier.taskId)?.state ?? '');
  if (cause === undefined) return;
  for (const { expectation } of recorded) if (expectation.isOpen) withdraw(turn, expectation, { withdrawn: cause });
}

/** Pass 2: its anchor is satisfied, or has lapsed, or is suspended. */
function applyAnchor(turn: Turn, { expectation, raised }: Recorded): void {
  if (raised.anchorId === null) return;
  if (expectation.anchor === null) {
    const closed = findLatest(turn.state, expectation.agent, raised.anchorId)?.closed;
    if (closed?.satisfied === true) reanchor(turn, expectation, closed.expectationId, closed.observedAt);
    return;
  }
  const anchor = resolve(expectation.anchor);
  if (!anchor.isOpen || !(anchor.hasLapsed || anchor.is(Mark.suspended)) || expectation.is(Mark.suspended)) return;
  suspend(turn, expectation, anchor);
  suspendBehind(turn, expectation);
}

/** Pass 3: a fact with its key came early. What each gets is settled before the first is satisfied. */
function applyEarlyFacts(turn: Turn, carrier: Carrier, recorded: readonly Recorded[]): void {
  if (turn.state.recent.length === 0) return;
  const chosen: [Expectation, RecentFact, string][] = [];
  for (const { expectation, raised } of recorded) {
    if (!expectation.isOpen) continue;
    const fact = firstUnserved(turn, carrier, raised.factKey);
    if (fact !== undefined) chosen.push([expectation, fact, raised.factKey]);
  }
  const revealing: Revealing[] = [];
  for (const [expectation, fact, factKey] of chosen) {
    const { receivedAt, observedAt, reporter, number } = fact;
    const by = { receivedAt, observedAt, source: reporter, how: 'early', factKey, factNumber: number } as const;
    satisfyAll(turn, [expectation], by, revealing);
  }
  judgeGaps(turn, revealing);
}

/** The first received within the window that has satisfied nothing of this agent and is not forgotten. */
function firstUnserved(turn: Turn, carrier: Carrier, factKey: string): RecentFact | undefined {
  const { recent, unmatched, matched } = turn.state;
  const keyHash = hashKey(factKey);
  let position = -1;
  while ((position = recent.nextUnserved(keyHash, carrier.agent, position)) >= 0) {
    const fact = recent.get(position);
    if (unmatched.has(fact.factHash, fact.number) || matched.has(fact.factHash, fact.number)) return fact;
  }
  return undefined;
}

/** Pass 4: it supersedes nothing, and one that names it in `after`, on its subject, is satisfied already. */
function applyNamers(turn: Turn, { expectation, raised }: Recorded): void {
  const { namers } = expectation;
  if (namers === null || raised.supersedes !== null || expectation.is(Mark.skipped)) return;
  const revealedBy = namers
    .filter((namer) => namer.subjectType === raised.subjectType && namer.subjectId === raised.subjectId)
    .sort((left, right) => left.seq - right.seq)
    .map((namer) => namer.expectationId);
  if (revealedBy.length > 0) lapse(turn, expectation, 'skipped', revealedBy);
}
