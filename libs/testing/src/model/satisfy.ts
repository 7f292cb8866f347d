// What a satisfaction does: the record of it, re-anchoring, and the gaps it reveals (semantics, *States* and *Facts*).
import { later } from './duration.ts';
import { lapse, setRetirement } from './lapse.ts';
import { anchoredTo, meaningOf } from './name.ts';
import { isSameSubject, nextMoment, openOnes } from './world.ts';
import type { Expectation, World } from './world.ts';

/** A fact, as far as it satisfies: when it was received, when observed (never later), and by whom it was reported. */
export interface Observation {
  readonly receivedAt: number;
  readonly observedAt: number;
  readonly source: string;
}

/** Closes an open expectation as satisfied. For the silence of its subject this counts from now. */
export function satisfy(world: World, expectation: Expectation, by: Observation): void {
  expectation.status = 'satisfied';
  expectation.suspended = false;
  expectation.closedAt = world.now;
  expectation.satisfaction = {
    satisfiedAt: by.receivedAt,
    observedAt: by.observedAt,
    source: by.source,
    late: by.observedAt > expectation.dueAt,
    reportedLate: by.receivedAt > expectation.dueAt,
  };
  world.satisfactions.push({ subject: expectation.subject, moment: nextMoment(world), at: world.now });
}

/** Sets the current due time of what is anchored to a satisfied expectation, once. */
export function reanchorBehind(world: World, satisfied: Expectation): void {
  for (const behind of anchoredTo(world, satisfied)) reanchor(world, behind);
}

/** Sets the current due time from the satisfied anchor's `observedAt`; ends a suspension. */
export function reanchor(world: World, expectation: Expectation): void {
  const observedAt = meaningOf(expectation.anchor)?.satisfaction?.observedAt;
  if (expectation.anchor === undefined || observedAt === undefined) return;
  expectation.dueAt = later(observedAt, expectation.anchor.offset);
  expectation.reanchored = true;
  expectation.suspended = false;
  setRetirement(world, expectation);
  world.happened.push('reanchored');
}

/** Judges the gaps that these satisfactions leave, together: one lapse a gap, in the order the skipped were recorded. */
export function judgeGaps(world: World, satisfied: readonly Expectation[]): void {
  for (const gap of openOnes(world)) {
    if (gap.lapses.includes('skipped')) continue;
    const revealing = satisfied.filter((one) => isRevealedBy(gap, one));
    if (revealing.length > 0) lapse(world, gap, 'skipped', inOrderRecorded(revealing));
  }
}

/** Whether a satisfied expectation names the open one in its `after`, on the same subject. */
export function isRevealedBy(gap: Expectation, satisfied: Expectation): boolean {
  return isSameSubject(gap.subject, satisfied.subject) && satisfied.after.some((name) => meaningOf(name) === gap);
}

export function inOrderRecorded(expectations: readonly Expectation[]): string[] {
  return expectations.toSorted((one, other) => one.moment - other.moment).map((one) => one.id);
}
