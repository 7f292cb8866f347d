// What already happened, applied to all that an artifact recorded, in four passes, each in the order listed
// (semantics, *What already happened*).
import { lapse, suspend, withdraw } from './lapse.ts';
import { meaningOf } from './name.ts';
import { recordOnSubject, satisfyBy } from './report.ts';
import { inOrderRecorded, isRevealedBy, judgeGaps, reanchor, reanchorBehind } from './satisfy.ts';
import { withdrawalOf } from './task-state.ts';
import type { Expectation, Fact, World } from './world.ts';

/** The four passes over what one artifact or status message recorded. */
export function applyWhatHappened(world: World, recorded: readonly Expectation[]): void {
  withdrawOfEndedTasks(world, recorded);
  followAnchors(world, recorded);
  satisfyByEarlyFacts(world, recorded);
  skipWhatIsNamed(world, recorded);
}

function withdrawOfEndedTasks(world: World, recorded: readonly Expectation[]): void {
  for (const one of recorded) {
    const task = world.tasks.find((other) => other.agentId === one.agentId && other.taskId === one.taskId);
    const cause = task === undefined ? undefined : withdrawalOf(task.state);
    if (one.status === 'open' && cause !== undefined) withdraw(world, one, cause);
  }
}

function followAnchors(world: World, recorded: readonly Expectation[]): void {
  for (const one of recorded) {
    const anchor = meaningOf(one.anchor);
    if (one.status !== 'open' || anchor === undefined) continue;
    if (anchor.status === 'satisfied') reanchor(world, one);
    if (anchor.status === 'open' && (anchor.lapses.length > 0 || anchor.suspended)) suspend(world, one);
  }
}

function satisfyByEarlyFacts(world: World, recorded: readonly Expectation[]): void {
  // What has served an agent before this artifact serves it no more; within the artifact it serves all it can.
  const early = world.facts
    .filter((fact) => fact.isEarly)
    .toSorted((one, other) => one.receivedMoment - other.receivedMoment)
    .map((fact): { fact: Fact; servedBefore: readonly string[] } => ({ fact, servedBefore: [...fact.served] }));
  const satisfied: Expectation[] = [];
  for (const one of recorded) {
    if (one.status !== 'open') continue;
    const first = early.find(
      ({ fact, servedBefore }) => fact.factKey === one.factKey && !servedBefore.includes(one.agentId),
    );
    if (first === undefined) continue;
    recordOnSubject(world, first.fact, one.subject);
    satisfyBy(world, one, first.fact);
    reanchorBehind(world, one);
    satisfied.push(one);
    world.happened.push('satisfied:early');
  }
  judgeGaps(world, satisfied);
}

function skipWhatIsNamed(world: World, recorded: readonly Expectation[]): void {
  for (const one of recorded) {
    if (one.status !== 'open' || one.ancestor !== undefined || one.lapses.includes('skipped')) continue;
    const revealing = world.expectations.filter(
      (other) => other.status === 'satisfied' && !other.forgotten && isRevealedBy(one, other),
    );
    if (revealing.length === 0) continue;
    lapse(world, one, 'skipped', inOrderRecorded(revealing));
    world.happened.push('skipped on recording');
  }
}
