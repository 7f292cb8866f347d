// A fact as it is shown.
import type { InstantText, Json, Subject } from '#expectations';
import type { ExpectationName, FactRow } from '#read-model';

export interface FactView {
  readonly factKey: string;
  readonly observedAt: InstantText;
  readonly receivedAt: InstantText;
  /** Who reported it (§13.5). */
  readonly source: string;
  /** What it is recorded on: the subject it names and those of what it satisfied. */
  readonly subjects: readonly Subject[];
  readonly satisfied: readonly ExpectationName[];
  /** As reported, unknown fields included. */
  readonly reported: { readonly [key: string]: Json };
}

export function viewFact({ factKey, observedAt, receivedAt, reporter, subjects, satisfied, fact }: FactRow): FactView {
  return { factKey, observedAt, receivedAt, source: reporter, subjects, satisfied, reported: fact };
}
