// Satisfaction (§9.2) and the re-anchoring that follows it (§9.3).
import { addDuration } from './duration.ts';
import { isLate } from './deadline.ts';
import { pendingOf, voidPending } from './dispatch.ts';
import type { SatisfiedBy } from './event.ts';
import type { Revealing } from './gap.ts';
import { formatInstant } from './instant.ts';
import { anchoredTo, type Expectation } from './state/expectation.ts';
import type { Turn } from './turn.ts';

/** What satisfies; instants in epoch milliseconds, `observedAt` never after `receivedAt`. */
export interface Satisfaction {
  readonly receivedAt: number;
  readonly observedAt: number;
  readonly source: string;
  readonly how: SatisfiedBy;
  readonly factKey?: string;
  readonly factNumber?: number;
}

/**
 * Satisfies what is open of a list, in its order, all by one observation; then re-anchors what hung from them and is
 * still open. Returns what may reveal gaps, which the caller judges when the whole report is applied.
 */
export function satisfyAll(turn: Turn, expectations: Iterable<Expectation>, by: Satisfaction): Revealing[] {
  const revealing: Revealing[] = [];
  const moved: [Expectation, Expectation][] = [];
  for (const expectation of expectations) {
    if (!expectation.isOpen) continue;
    for (const anchored of anchoredTo(expectation)) moved.push([anchored, expectation]);
    const { id, seq, subject, after } = expectation;
    satisfy(turn, expectation, by);
    if (after !== null && subject !== null) revealing.push({ id, seq, subject, after });
  }
  for (const [anchored, anchor] of moved) if (anchored.isOpen) reanchor(turn, anchored, anchor.id, by.observedAt);
  return revealing;
}

function satisfy(turn: Turn, expectation: Expectation, by: Satisfaction): void {
  const { agent, id, dueAt } = expectation;
  const pending = pendingOf(expectation);
  turn.emit({
    type: 'expectationSatisfied',
    at: turn.at,
    agentId: agent.id,
    expectationId: id,
    satisfiedAt: formatInstant(by.receivedAt),
    observedAt: formatInstant(by.observedAt),
    source: by.source,
    late: isLate(by.observedAt, dueAt),
    reportedLate: isLate(by.receivedAt, dueAt),
    ...(by.factKey === undefined ? {} : { factKey: by.factKey }),
    ...(by.factNumber === undefined ? {} : { factNumber: by.factNumber }),
    how: by.how,
  });
  voidPending(turn, agent.id, id, pending, 'satisfied');
}

/** Sets the current due time of what hangs from a satisfied anchor. */
export function reanchor(turn: Turn, anchored: Expectation, anchorId: string, observedAt: number): void {
  const { offset } = anchored;
  const dueAt = offset === null ? observedAt : addDuration(observedAt, offset);
  turn.emit({
    type: 'expectationReanchored',
    at: turn.at,
    agentId: anchored.agent.id,
    expectationId: anchored.id,
    anchorId,
    dueAt: formatInstant(dueAt),
  });
}
