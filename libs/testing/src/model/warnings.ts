// What is odd about an expectation that is recorded all the same (semantics, *Recording*), judged right before it is.
import type { WarningCode } from '#expectations';
import type { Raised } from './content.ts';
import { later } from './duration.ts';
import { overdueAfter } from './lapse.ts';
import { knownAs, latest, meaningOf } from './name.ts';
import { isSameSubject } from './world.ts';
import type { World } from './world.ts';

/** Where an expectation comes from. */
export interface Origin {
  readonly agentId: string;
  readonly taskId: string;
  readonly contextId: string;
  readonly activated: boolean;
  readonly inStatus: boolean;
}

/** The kind as the agent's card, as last read, declares it. */
export function declaredKind(world: World, agentId: string, kind: string): { subjectType: unknown } | undefined {
  const card = world.cards.find((one) => one.agentId === agentId);
  return card?.kinds.find((one) => one.kind === kind);
}

/** Its warnings, in the order of the specification. */
export function warningsOf(world: World, { agentId, activated }: Origin, raised: Raised): WarningCode[] {
  const warnings: WarningCode[] = [];
  const subjectType = declaredKind(world, agentId, raised.kind)?.subjectType;
  if (subjectType !== raised.subject.type) warnings.push('subject_type_differs');
  const known = raised.anchor === undefined ? undefined : knownAs(world, agentId, raised.anchor.id);
  const anchor = known === undefined ? undefined : latest(known);
  if (raised.anchor !== undefined && anchor === undefined) warnings.push('anchor_unknown');
  // Naming itself changes nothing and is nothing odd.
  const named = raised.after
    .filter((id) => id !== raised.id)
    .map((id) => meaningOf({ id, meant: knownAs(world, agentId, id) }));
  if (named.some((one) => one === undefined)) warnings.push('after_unknown');
  if (named.some((one) => one !== undefined && !isSameSubject(one.subject, raised.subject))) {
    warnings.push('after_other_subject');
  }
  if (!['observed', 'contract', 'declared'].includes(raised.basis)) warnings.push('basis_unknown');
  if (anchor?.status === 'open' && later(raised.dueAt, raised.grace) < overdueAfter(anchor)) {
    warnings.push('due_before_anchor');
  }
  if (!activated) warnings.push('not_activated');
  return warnings;
}
