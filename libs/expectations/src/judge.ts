// Why an expectation is not recorded: the checks of semantics' table, in its order.
import type { Carrier } from './carrier.ts';
import { isSame } from './hash.ts';
import { identityOf, identityOfOpen, knownAncestors } from './lineage.ts';
import { findExactly, findLatest, type Named } from './names.ts';
import type { Raised } from './raised.ts';
import type { Refusal } from './refusal.ts';
import { type Expectation, resolve } from './state/expectation.ts';
import type { State } from './state/state.ts';

/**
 * The first reason that holds, or undefined. `named` is what bears its id now; `invalid` and repeats have been told
 * apart before.
 */
export function judge(state: State, carrier: Carrier, raised: Raised, named: Named): Refusal | undefined {
  const { agent } = carrier;
  if (named !== undefined) {
    return {
      code: 'id_reused',
      message: `${raised.expectationId} was recorded with other content: raise it under a new id`,
    };
  }
  if (!agent.kinds.has(raised.kind)) {
    return {
      code: 'undeclared_kind',
      message: `the agent's card, as last read, does not declare the kind ${raised.kind}`,
    };
  }
  const replaced = raised.supersedes === null ? undefined : findExactly(state, agent, raised.supersedes);
  if (raised.supersedes !== null && replaced?.open === undefined) {
    return replaced === undefined
      ? { code: 'supersedes_unknown', message: `no expectation ${raised.supersedes} of this agent is known` }
      : {
          code: 'supersedes_closed',
          message: `${raised.supersedes} is closed: only an open expectation can be replaced`,
        };
  }
  return judgeLineage(state, carrier, raised, replaced?.open) ?? judgeBounds(state, carrier, raised, replaced?.open);
}

function judgeLineage(
  state: State,
  carrier: Carrier,
  raised: Raised,
  replaced: Expectation | undefined,
): Refusal | undefined {
  const { agent } = carrier;
  if (replaced !== undefined) {
    const own = identityOf(raised);
    const ancestors = knownAncestors(state, replaced).map((ancestor) => ancestor.identityHash);
    if ([identityOfOpen(replaced), ...ancestors].some((identity) => isSame(identity, own))) {
      const message = 'kind, subject, satisfiedBy and dueAt all equal those of an ancestor: change one (§10.3)';
      return { code: 'identical_in_lineage', message };
    }
    const bound = state.settingOf(agent, 'lineageBound');
    if (replaced.lineage + 1 > bound) {
      const message = `it would be the ${replaced.lineage + 1}. extension; the bound is ${bound}: a person has to give it more time`;
      return { code: 'lineage_bound', message };
    }
  }
  return leadsBack(state, carrier, raised, replaced)
    ? {
        code: 'anchor_cycle',
        message: `following its anchor ${raised.anchorId ?? ''} leads back to it: it could never be due`,
      }
    : undefined;
}

/** Follows anchors, through successors, to its own name or to what it replaces. */
function leadsBack(state: State, carrier: Carrier, raised: Raised, replaced: Expectation | undefined): boolean {
  if (raised.anchorId === null) return false;
  const own = carrier.agent.names.get(raised.expectationId);
  let at: Expectation | null = findLatest(state, carrier.agent, raised.anchorId)?.open ?? null;
  while (at !== null) {
    if (at === own || at === replaced) return true;
    at = at.anchor === null ? null : resolve(at.anchor);
  }
  return false;
}

/** §13.2: what it replaces makes room, on its own subject and for its agent. */
function judgeBounds(
  state: State,
  carrier: Carrier,
  raised: Raised,
  replaced: Expectation | undefined,
): Refusal | undefined {
  const { agent } = carrier;
  const subject = state.findSubject(raised.subjectType, raised.subjectId);
  const onSubject = (subject?.open.length ?? 0) - (replaced !== undefined && replaced.subject === subject ? 1 : 0);
  if (onSubject >= state.settings.maxOpenPerSubject) {
    const message = `${onSubject} expectations are open on ${raised.subjectType} ${raised.subjectId}; the bound is ${state.settings.maxOpenPerSubject}`;
    return { code: 'subject_bound', message };
  }
  const ofAgent = agent.openCount - (replaced === undefined ? 0 : 1);
  const bound = state.settingOf(agent, 'maxOpenPerAgent');
  if (ofAgent < bound) return undefined;
  return { code: 'agent_bound', message: `${ofAgent} expectations of this agent are open; the bound is ${bound}` };
}
