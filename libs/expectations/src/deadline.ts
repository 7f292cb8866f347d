// The boundaries: when a deadline has passed, and which deadlines an open expectation has. No other file decides it.
import { addDuration } from './duration.ts';
import type { LapseKind } from './input.ts';
import { type Expectation, Mark } from './state/expectation.ts';
import type { State } from './state/state.ts';

/** Strictly (semantics, *Time*): what is received exactly at the deadline still counts. */
export function hasPassed(deadline: number, now: number): boolean {
  return now > deadline;
}

/** Observed, or received, after the due time current at that moment (semantics, *Facts*). */
export function isLate(instant: number, dueAt: number): boolean {
  return instant > dueAt;
}

/** No fact was recorded on the subject since its latest satisfaction, or since the raising, if later (§9.1). */
export function isSilent(expectation: Expectation): boolean {
  const { subject } = expectation;
  return subject !== null && subject.lastFact <= Math.max(subject.satisfiedAtFact, expectation.raisedAtFact);
}

export type DeadlineKind = Exclude<LapseKind, 'skipped'> | 'retirement';

/** In the order in which they fire at one instant. */
export const deadlineKinds: readonly DeadlineKind[] = ['overdue', 'stalled', 'retirement'];

/** After which instant it fires; Infinity where it does not. */
export function deadlineOf(expectation: Expectation, kind: DeadlineKind): number {
  switch (kind) {
    case 'overdue':
      return expectation.is(Mark.suspended | Mark.overdue | Mark.skipped) ? Infinity : expectation.overdueAt;
    case 'stalled':
      return expectation.is(Mark.stalled) || !isSilent(expectation) ? Infinity : silentUntil(expectation);
    case 'retirement':
      return expectation.retireAt;
  }
}

/** The earliest of the three. */
export function nextDeadlineOf(expectation: Expectation): number {
  let next = expectation.retireAt;
  if (!expectation.is(Mark.suspended | Mark.overdue | Mark.skipped)) next = Math.min(next, expectation.overdueAt);
  if (expectation.horizon !== Infinity) next = Math.min(next, deadlineOf(expectation, 'stalled'));
  return next;
}

/** After a satisfaction later than the horizon, or recorded after it, it can stall from the next instant on. */
function silentUntil(expectation: Expectation): number {
  return Math.max(expectation.horizon, expectation.recordedAt, expectation.subject?.satisfiedAt ?? -Infinity);
}

/** When an open expectation that has lapsed retires (semantics, *States*). */
export function retirementOf(state: State, expectation: Expectation, latestLapseAt: number): number {
  const horizon = expectation.horizon === Infinity ? -Infinity : expectation.horizon;
  return addDuration(Math.max(latestLapseAt, horizon, expectation.overdueAt), state.retireAfter);
}

/** Suspended, and no horizon is left that could find it stalled. */
export function canLapseNoMore(expectation: Expectation, now: number): boolean {
  const { horizon } = expectation;
  return (
    expectation.is(Mark.suspended) && (horizon === Infinity || hasPassed(horizon, now) || expectation.is(Mark.stalled))
  );
}
