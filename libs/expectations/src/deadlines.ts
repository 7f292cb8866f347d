// Fires every deadline before an instant, one deadline instant after the other (semantics, *Time*).
import { deadlineKinds, type DeadlineKind, deadlineOf, hasPassed } from './deadline.ts';
import { lapse } from './lapse.ts';
import { earliestDeadline, schedule } from './schedule.ts';
import { type Expectation, resolve } from './state/expectation.ts';
import type { State } from './state/state.ts';
import type { Turn } from './turn.ts';
import { retire } from './withdraw.ts';

interface Firing {
  readonly expectation: Expectation;
  readonly kind: DeadlineKind;
  readonly depth: number;
}

/** `lapsedAt` of what fires is the turn's instant, whenever the deadline was. */
export function fireDeadlines(turn: Turn): void {
  if (!hasPassed(earliestDeadline(turn.state), turn.now)) return;
  for (const _ of firingDeadlines(turn));
}

/** Likewise, one step for each deadline. */
export function* firingDeadlines(turn: Turn): Generator<void> {
  for (
    let instant = earliestDeadline(turn.state);
    hasPassed(instant, turn.now);
    instant = earliestDeadline(turn.state)
  ) {
    const taken = take(turn.state, instant);
    for (const firing of order(taken, instant)) {
      fire(turn, firing, instant);
      yield;
    }
    for (const expectation of taken) if (expectation.isOpen) schedule(turn.state, expectation);
  }
}

/** Takes out all whose next deadline is at the instant. */
function take(state: State, instant: number): Expectation[] {
  const taken: Expectation[] = [];
  while (earliestDeadline(state) === instant) {
    const { first } = state.deadlines;
    if (first === undefined) break;
    taken.push(first);
    state.deadlines.remove(first);
  }
  return taken;
}

/** An anchor before what hangs from it, then the order of recording, then overdue, stalled, retirement. */
function order(taken: readonly Expectation[], instant: number): Firing[] {
  const firings: Firing[] = [];
  const depths = new Map<Expectation, number>();
  for (const expectation of taken) {
    const depth = expectation.anchor === null ? 0 : depthOf(expectation, depths);
    for (const kind of deadlineKinds) {
      if (deadlineOf(expectation, kind) === instant) firings.push({ expectation, kind, depth });
    }
  }
  return firings.sort(
    (left, right) =>
      left.depth - right.depth ||
      left.expectation.seq - right.expectation.seq ||
      deadlineKinds.indexOf(left.kind) - deadlineKinds.indexOf(right.kind),
  );
}

/** How many open anchors it hangs from, one behind the other. */
function depthOf(expectation: Expectation, known: Map<Expectation, number>): number {
  const chain: Expectation[] = [];
  let depth = -1;
  for (let at: Expectation | null = expectation; at !== null && at.isOpen; at = openAnchorOf(at)) {
    const knownDepth = known.get(at);
    if (knownDepth !== undefined) {
      depth = knownDepth;
      break;
    }
    chain.push(at);
  }
  for (const at of chain.reverse()) known.set(at, (depth += 1));
  return depth;
}

function openAnchorOf(expectation: Expectation): Expectation | null {
  return expectation.anchor === null ? null : resolve(expectation.anchor);
}

/** Looks again: what has fired before it at the same instant may have closed or suspended it. */
function fire(turn: Turn, { expectation, kind }: Firing, instant: number): void {
  if (!expectation.isOpen || deadlineOf(expectation, kind) !== instant) return;
  if (kind === 'retirement') retire(turn, expectation, instant);
  else lapse(turn, expectation, kind);
}
