// A lineage (§10.3): what an expectation replaces, what that replaced, and so on, as far as *Memory* has it.
import { type Hash, hashList } from './hash.ts';
import type { Raised } from './raised.ts';
import type { Ancestor, Expectation } from './state/expectation.ts';
import type { State } from './state/state.ts';

/** Kind, subject, matcher and projected due time: what must differ within a lineage. */
export function identityOf({ kind, subjectType, subjectId, factKey, dueAt }: Raised): Hash {
  return hashList([kind, subjectType, subjectId, factKey], dueAt);
}

/** Likewise of what is open. */
export function identityOfOpen({ kind, subject, factKey, projectedDueAt }: Expectation): Hash {
  return hashList([kind, subject?.type ?? '', subject?.id ?? '', factKey], projectedDueAt);
}

/** Its ancestors as far as *Memory* has them: what was forgotten once stays so, whatever is set since. */
export function knownAncestors(state: State, { ancestors }: Expectation): readonly Ancestor[] {
  return ancestors?.filter(({ position }) => position >= state.closed.start) ?? [];
}
