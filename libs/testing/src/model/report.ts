// Applies a report: its facts one by one in the order observed, then the gaps that the whole report leaves (semantics, *Facts*).
import type { Subject } from '#expectations';
import { readFact } from './content.ts';
import type { Said } from './content.ts';
import { judgeGaps, reanchorBehind, satisfy } from './satisfy.ts';
import type { Observation } from './satisfy.ts';
import { nextMoment, openOnes } from './world.ts';
import type { Expectation, Fact, World } from './world.ts';

/** The facts of one report, by a reporter that is trusted. Malformed ones are refused; the rest is applied. */
export function applyReport(world: World, reporter: string, items: readonly unknown[]): void {
  const satisfied: Expectation[] = [];
  const wellFormed = items.map(readFact).filter((said) => said !== undefined);
  if (wellFormed.length < items.length) world.happened.push('fact refused');
  const cut = (said: Said): number => Math.min(said.saidAt, world.now);
  for (const said of wellFormed.toSorted((one, other) => cut(one) - cut(other))) {
    satisfied.push(...applyFact(world, reporter, said));
  }
  judgeGaps(world, satisfied);
}

function applyFact(world: World, reporter: string, said: Said): Expectation[] {
  const known = world.facts.find(
    (one) => one.reporter === reporter && one.factKey === said.factKey && one.saidAt === said.saidAt,
  );
  if (known !== undefined) return applyRepeat(world, known);
  const fact: Fact = {
    reporter,
    factKey: said.factKey,
    saidAt: said.saidAt,
    moment: nextMoment(world),
    observedAt: Math.min(said.saidAt, world.now),
    receivedAt: world.now,
    receivedMoment: world.moment,
    isEarly: true,
    served: [],
    latestSatisfactionAt: 0,
  };
  world.facts.push(fact);
  if (said.subject !== undefined) recordOnSubject(world, fact, said.subject);
  return satisfyAll(world, fact, 'satisfied:fact');
}

/** A repeat satisfies only where the fact never has; nothing else of it counts. */
function applyRepeat(world: World, fact: Fact): Expectation[] {
  world.happened.push('fact repeated');
  const waits = openOnes(world).some((one) => one.factKey === fact.factKey);
  if (fact.served.length > 0 || !waits) return [];
  fact.receivedAt = world.now;
  fact.receivedMoment = nextMoment(world);
  fact.isEarly = true;
  return satisfyAll(world, fact, 'satisfied:repeat');
}

/** Satisfies every open expectation of its key, whoever raised it; then re-anchors what hangs from them. */
function satisfyAll(world: World, fact: Fact, how: string): Expectation[] {
  const satisfied = openOnes(world).filter((one) => one.factKey === fact.factKey);
  for (const one of satisfied) {
    recordOnSubject(world, fact, one.subject);
    satisfyBy(world, one, fact);
    world.happened.push(how);
  }
  for (const one of satisfied) reanchorBehind(world, one);
  return satisfied;
}

/** Satisfies one expectation by a fact, received now or earlier. */
export function satisfyBy(world: World, expectation: Expectation, fact: Fact): void {
  satisfy(world, expectation, observationOf(fact));
  fact.latestSatisfactionAt = world.now;
  if (!fact.served.includes(expectation.agentId)) fact.served.push(expectation.agentId);
}

function observationOf(fact: Fact): Observation {
  return {
    receivedAt: fact.receivedAt,
    observedAt: Math.min(fact.saidAt, fact.receivedAt),
    source: fact.reporter,
  };
}

/** Puts a fact on a subject as of its first receipt, whatever satisfies it later. */
export function recordOnSubject(world: World, fact: Fact, subject: Subject): void {
  world.factsOnSubjects.push({ subject, moment: fact.moment, observedAt: fact.observedAt });
}
