// What is odd about an expectation that is recorded all the same (semantics, *Recording*).
import { findLatest } from './names.ts';
import { addGrace, type Raised } from './raised.ts';
import type { Carrier } from './carrier.ts';
import { hashSubject } from './state/closed-memory.ts';
import type { State } from './state/state.ts';
import type { WarningCode } from './warning.ts';

const BASES: readonly string[] = ['observed', 'contract', 'declared'];
const none: readonly WarningCode[] = [];

/** In the order of `warningCodes`. */
export function warningsOf(state: State, carrier: Carrier, raised: Raised): readonly WarningCode[] {
  const warnings: WarningCode[] = [];
  const declared = carrier.agent.kinds.get(raised.kind);
  if (declared?.subjectType !== raised.subjectType) warnings.push('subject_type_differs');
  const anchor = raised.anchorId === null ? undefined : findLatest(state, carrier.agent, raised.anchorId);
  if (raised.anchorId !== null && anchor === undefined) warnings.push('anchor_unknown');
  warnings.push(...warningsOfAfter(state, carrier, raised));
  if (!BASES.includes(raised.basis)) warnings.push('basis_unknown');
  if (anchor?.open !== undefined && addGrace(raised.dueAt, raised.grace) < anchor.open.overdueAt) {
    warnings.push('due_before_anchor');
  }
  if (!carrier.isActivated) warnings.push('not_activated');
  return warnings.length === 0 ? none : warnings;
}

function warningsOfAfter(state: State, carrier: Carrier, raised: Raised): WarningCode[] {
  let isUnknown = false;
  let isOnOther = false;
  for (const name of raised.after ?? none) {
    if (name === raised.expectationId) continue;
    const named = findLatest(state, carrier.agent, name);
    if (named === undefined) isUnknown = true;
    else if (named.open !== undefined) {
      const { subject } = named.open;
      isOnOther ||= subject?.type !== raised.subjectType || subject.id !== raised.subjectId;
    } else {
      const [a, b] = hashSubject(raised.subjectType, raised.subjectId);
      isOnOther ||= named.closed.subjectHash[0] !== a || named.closed.subjectHash[1] !== b;
    }
  }
  return [...(isUnknown ? (['after_unknown'] as const) : []), ...(isOnOther ? (['after_other_subject'] as const) : [])];
}
