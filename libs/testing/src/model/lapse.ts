// What a lapse does, and how an open expectation is withdrawn (semantics, *States*).
// It must never decide when: that is for the deadlines, the gaps and the inputs.
import type { LapseKind, WithdrawalCause } from '#expectations';
import { later, readDuration, zero } from './duration.ts';
import { writeInstant } from './instant.ts';
import { anchoredTo } from './name.ts';
import { isSameSubject } from './world.ts';
import type { Expectation, World } from './world.ts';

/** Marks a lapse, suspends what hangs from it, and fixes when the expectation retires. */
export function lapse(
  world: World,
  expectation: Expectation,
  kind: LapseKind,
  satisfiedAfter?: readonly string[],
): void {
  expectation.lapses.push(kind);
  expectation.latestLapseAt = world.now;
  setRetirement(world, expectation);
  const lastFactAt = latestFactAt(world, expectation);
  world.lapses.push({
    agentId: expectation.agentId,
    contextId: expectation.contextId,
    taskId: expectation.taskId,
    messageId: `lapse:${expectation.id}:${kind}:${writeInstant(expectation.dueAt)}`,
    lapse: {
      expectationId: expectation.id,
      kind: expectation.kind,
      subject: expectation.subject,
      expects: expectation.expects,
      lapse: kind,
      projectedDueAt: writeInstant(expectation.projectedDueAt),
      dueAt: writeInstant(expectation.dueAt),
      lapsedAt: writeInstant(world.now),
      ...(lastFactAt === undefined ? {} : { lastFactAt: writeInstant(lastFactAt) }),
      ...(satisfiedAfter === undefined ? {} : { satisfiedAfter }),
      lineage: expectation.lineage,
    },
  });
  world.happened.push(`lapsed:${kind}`);
  suspendBehind(world, expectation);
}

/** The latest observation recorded on the subject since the expectation was. */
function latestFactAt(world: World, expectation: Expectation): number | undefined {
  let latestAt: number | undefined;
  for (const fact of world.factsOnSubjects) {
    if (!isSameSubject(fact.subject, expectation.subject) || fact.moment < expectation.moment) continue;
    if (latestAt === undefined || fact.observedAt > latestAt) latestAt = fact.observedAt;
  }
  return latestAt;
}

/** When due and grace have passed at an instant strictly after this one. */
export function overdueAfter(expectation: Expectation): number {
  return later(expectation.dueAt, expectation.grace);
}

/** Fixes, with the setting of this moment, when a lapsed expectation retires; called again when it is re-anchored. */
export function setRetirement(world: World, expectation: Expectation): void {
  if (expectation.lapses.length === 0) return;
  const latestOf = Math.max(expectation.latestLapseAt, expectation.horizon ?? 0, overdueAfter(expectation));
  expectation.retiresAt = later(latestOf, readDuration(world.settings.retireAfter) ?? zero);
}

/** Suspends everything that hangs from it, however far. */
export function suspendBehind(world: World, anchor: Expectation): void {
  for (const expectation of anchoredTo(world, anchor)) {
    suspend(world, expectation);
  }
}

/** Suspends one, and everything that hangs from it. */
export function suspend(world: World, expectation: Expectation): void {
  if (!expectation.suspended) world.happened.push('suspended');
  expectation.suspended = true;
  suspendBehind(world, expectation);
}

/** Closes it unsatisfied. Without a successor, what was suspended right behind it is judged by its projected time again. */
export function withdraw(
  world: World,
  expectation: Expectation,
  cause: WithdrawalCause,
  successor?: Expectation,
): void {
  expectation.status = 'withdrawn';
  expectation.withdrawn = cause;
  expectation.successor = successor;
  expectation.suspended = false;
  expectation.closedAt = world.now;
  world.happened.push(`withdrawn:${cause}`);
  if (cause === 'superseded' || cause === 'retired') return;
  for (const behind of anchoredTo(world, expectation)) {
    if (behind.suspended) world.happened.push('released');
    behind.suspended = false;
  }
}

/** Withdraws it at its retirement, and with it what is suspended behind it and cannot lapse any more at that instant. */
export function retire(world: World, expectation: Expectation, retirementInstant: number): void {
  const behind = anchoredTo(world, expectation);
  withdraw(world, expectation, 'retired');
  for (const one of behind) {
    const horizonPassed = one.horizon === undefined || retirementInstant > one.horizon;
    if (!one.suspended || !(horizonPassed || one.lapses.includes('stalled'))) continue;
    world.happened.push('retired behind');
    retire(world, one, retirementInstant);
  }
}
