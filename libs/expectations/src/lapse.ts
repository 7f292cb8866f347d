// A lapse is determined (§9.1): the block of §10.1, and the suspension of what hangs from what has lapsed (§9.3).
import type { LapseBlock } from './event.ts';
import type { LapseKind } from './input.ts';
import { formatInstant } from './instant.ts';
import { anchoredTo, type Expectation, Mark } from './state/expectation.ts';
import type { Turn } from './turn.ts';

/** Marks an open expectation, once per kind; `satisfiedAfter` is what revealed a skipped one. */
export function lapse(turn: Turn, expectation: Expectation, kind: LapseKind, satisfiedAfter?: readonly string[]): void {
  const block = blockOf(turn, expectation, kind, satisfiedAfter);
  const { agent, id, task, contextId } = expectation;
  turn.emit({
    type: 'expectationLapsed',
    at: turn.at,
    agentId: agent.id,
    expectationId: id,
    taskId: task?.id ?? '',
    contextId,
    messageId: `lapse:${id}:${kind}:${block.dueAt}`,
    lapse: block,
    selfTimed: agent.keepsTime && !turn.state.settingOf(agent, 'dispatchSelfTimed'),
  });
  suspendBehind(turn, expectation);
}

function blockOf(
  turn: Turn,
  expectation: Expectation,
  kind: LapseKind,
  satisfiedAfter: readonly string[] | undefined,
): LapseBlock {
  const { subject } = expectation;
  const lastFactAt = subject?.latestSince(expectation.raisedAtFact);
  return {
    expectationId: expectation.id,
    kind: expectation.kind,
    subject: { type: subject?.type ?? '', id: subject?.id ?? '' },
    expects: expectation.expects,
    lapse: kind,
    projectedDueAt: formatInstant(expectation.projectedDueAt),
    dueAt: formatInstant(expectation.dueAt),
    lapsedAt: turn.at,
    ...(lastFactAt === undefined ? {} : { lastFactAt: formatInstant(lastFactAt) }),
    ...(satisfiedAfter === undefined ? {} : { satisfiedAfter }),
    lineage: expectation.lineage,
  };
}

/** Suspends what hangs from it and is not yet re-anchored, and what hangs from that. */
export function suspendBehind(turn: Turn, anchor: Expectation): void {
  const anchors = [anchor];
  for (const at of anchors) {
    for (const anchored of anchoredTo(at)) {
      if (anchored.is(Mark.suspended)) continue;
      suspend(turn, anchored, at);
      anchors.push(anchored);
    }
  }
}

/** What hangs from a suspended one is suspended already, so a chain is walked once. */
export function suspend(turn: Turn, expectation: Expectation, behind: Expectation): void {
  turn.emit({
    type: 'expectationSuspended',
    at: turn.at,
    agentId: expectation.agent.id,
    expectationId: expectation.id,
    behind: behind.id,
  });
}
