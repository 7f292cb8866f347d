// Keeps an open expectation's place among the deadlines.
import { isSilent, nextDeadlineOf } from './deadline.ts';
import { type Expectation, Mark } from './state/expectation.ts';
import type { State } from './state/state.ts';

/** Sets its next deadline anew. One whose silence is broken is noted: the next satisfaction on its subject counts. */
export function schedule(state: State, expectation: Expectation): void {
  if (expectation.horizon !== Infinity && !expectation.is(Mark.stalled) && !isSilent(expectation)) {
    const { subject } = expectation;
    if (subject !== null) (subject.unsilenced ??= new Set()).add(expectation);
  }
  state.deadlines.set(expectation, nextDeadlineOf(expectation));
}

/** The instant after which the next deadline fires, in epoch milliseconds; Infinity where there is none. Exact. */
export function earliestDeadline(state: State): number {
  const { deadlines } = state;
  for (;;) {
    const { first, earliest } = deadlines;
    if (first === undefined || nextDeadlineOf(first) === earliest) return earliest;
    schedule(state, first);
  }
}
