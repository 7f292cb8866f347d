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
 * still open. Adds to `revealing` what may reveal gaps, which the caller judges when the whole report is applied.
 */
export function satisfyAll(
  turn: Turn,
  expectations: readonly Expectation[],
  by: Satisfaction,
  revealing: Revealing[],
): void {
  const moved: [Expectation, Expectation][] = [];
  for (const expectation of expectations) {
    if (!expectation.isOpen) continue;
    for (const anchored of anchoredTo(expectation)) moved.push([anchored, expectation]);
    const { id, seq, subject, after } = expectation;
    satisfy(turn, expectation, by);
    if (after !== null && subject !== null) revealing.push({ id, seq, subject, after });
  }
  for (const [anchored, anchor] of moved) if (anchored.isOpen) reanchor(turn, anchored, anchor.id, by.observedAt);
}

function satisfy(turn: Turn, expectation: Expectation, by: Satisfaction): void {
  const type = 'expectationSatisfied';
  const { at } = turn;
  const agentId = expectation.agent.id;
  const expectationId = expectation.id;
  const satisfiedAt = by.receivedAt === turn.now ? at : formatInstant(by.receivedAt);
  const observedAt = formatInstant(by.observedAt);
  const { source, how, factKey, factNumber } = by;
  const late = isLate(by.observedAt, expectation.dueAt);
  const reportedLate = isLate(by.receivedAt, expectation.dueAt);
  const pending = pendingOf(expectation);
  turn.emit(
    factKey === undefined || factNumber === undefined
      ? { type, at, agentId, expectationId, satisfiedAt, observedAt, source, late, reportedLate, how }
      : {
          type,
          at,
          agentId,
          expectationId,
          satisfiedAt,
          observedAt,
          source,
          late,
          reportedLate,
          factKey,
          factNumber,
          how,
        },
  );
  voidPending(turn, agentId, expectationId, pending, 'satisfied');
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
