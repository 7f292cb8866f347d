// Gaps (§9.1, skipped): a later step was satisfied while one that its `after` names, on the same subject, is open.
import { lapse } from './lapse.ts';
import { bySeq, type Expectation, Mark, resolve } from './state/expectation.ts';
import type { Subject } from './state/subject.ts';
import type { Turn } from './turn.ts';

/** A satisfied expectation that names others in `after`, as it was when it was satisfied. */
export interface Revealing {
  readonly id: string;
  readonly seq: number;
  readonly subject: Subject;
  readonly after: readonly Expectation[];
}

/** One lapse a gap, in the order the skipped ones were recorded, naming all that revealed it in theirs. */
export function judgeGaps(turn: Turn, revealing: Revealing[]): void {
  if (revealing.length === 0) return;
  const gaps = new Map<Expectation, string[]>();
  for (const { id, subject, after } of revealing.sort(bySeq)) {
    for (const named of after) {
      const skipped = resolve(named);
      if (!skipped.isOpen || skipped.subject !== subject || skipped.is(Mark.skipped)) continue;
      const revealedBy = gaps.get(skipped);
      if (revealedBy === undefined) gaps.set(skipped, [id]);
      else if (revealedBy.at(-1) !== id) revealedBy.push(id);
    }
  }
  for (const skipped of [...gaps.keys()].sort(bySeq)) lapse(turn, skipped, 'skipped', gaps.get(skipped));
}
