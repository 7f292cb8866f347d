// The deadlines and the order in which they fire (semantics, *Time* and *States*). Every one is looked for anew each time.
// It must never fire at the deadline's own instant: "has passed" is strict.
import { lapse, overdueAfter, retire } from './lapse.ts';
import { depthOf } from './name.ts';
import { isSameSubject, openOnes } from './world.ts';
import type { Expectation, World } from './world.ts';

type DeadlineKind = 'overdue' | 'stalled' | 'retirement';

interface Deadline {
  readonly kind: DeadlineKind;
  readonly at: number;
}

const kindsInOrder: readonly DeadlineKind[] = ['overdue', 'stalled', 'retirement'];

/** Fires every deadline before the present instant: instant by instant, the deadlines of one instant as a whole. */
export function fireDeadlines(world: World): void {
  for (;;) {
    const passed = openOnes(world).flatMap((expectation) =>
      deadlinesOf(world, expectation)
        .filter((deadline) => deadline.at < world.now)
        .map((deadline) => ({ ...deadline, expectation })),
    );
    const earliest = passed.reduce((least, deadline) => Math.min(least, deadline.at), Infinity);
    if (earliest === Infinity) return;
    const together = passed
      .filter((deadline) => deadline.at === earliest)
      .map((deadline) => ({ ...deadline, depth: depthOf(deadline.expectation) }))
      .toSorted(
        (one, other) =>
          one.depth - other.depth ||
          one.expectation.moment - other.expectation.moment ||
          kindsInOrder.indexOf(one.kind) - kindsInOrder.indexOf(other.kind),
      );
    for (const { kind, at, expectation } of together) {
      const still = deadlinesOf(world, expectation).some((deadline) => deadline.kind === kind && deadline.at === at);
      if (!still) continue;
      if (kind === 'retirement') retire(world, expectation, at);
      else lapse(world, expectation, kind);
    }
  }
}

function deadlinesOf(world: World, expectation: Expectation): Deadline[] {
  const deadlines: Deadline[] = [];
  if (expectation.status !== 'open') return deadlines;
  const { lapses, suspended, horizon, retiresAt } = expectation;
  if (!suspended && !lapses.includes('overdue') && !lapses.includes('skipped')) {
    deadlines.push({ kind: 'overdue', at: overdueAfter(expectation) });
  }
  if (horizon !== undefined && !lapses.includes('stalled') && isSilent(world, expectation)) {
    deadlines.push({ kind: 'stalled', at: Math.max(horizon, silentSince(world, expectation).at) });
  }
  if (retiresAt !== undefined) deadlines.push({ kind: 'retirement', at: retiresAt });
  return deadlines;
}

/** The latest satisfaction on the subject, or the recording if that is later. */
function silentSince(world: World, expectation: Expectation): { moment: number; at: number } {
  let since = { moment: expectation.moment, at: expectation.recordedAt };
  for (const satisfaction of world.satisfactions) {
    if (!isSameSubject(satisfaction.subject, expectation.subject) || satisfaction.moment < since.moment) continue;
    since = { moment: satisfaction.moment, at: satisfaction.at };
  }
  return since;
}

function isSilent(world: World, expectation: Expectation): boolean {
  const since = silentSince(world, expectation);
  return !world.factsOnSubjects.some(
    (fact) => isSameSubject(fact.subject, expectation.subject) && fact.moment > since.moment,
  );
}
