// What is forgotten, and when (semantics, *Memory*): with each input, after its deadlines have fired, before it is applied.
// It must never forget what the silence of a subject and `lastFactAt` need.
import { later, readDuration, zero } from './duration.ts';
import { settingOf } from './configured.ts';
import { isQuestionAbout, isRaisedBy } from './status.ts';
import { isTerminal } from './task-state.ts';
import { openOnes } from './world.ts';
import type { Fact, Task, World } from './world.ts';

/** Forgets what is past its period: strictly after it, in the log's time. */
export function forget(world: World): void {
  const closedMemory = readDuration(world.settings.closedMemory) ?? zero;
  for (const one of world.expectations) {
    if (one.status === 'open' || one.forgotten || later(one.closedAt, closedMemory) >= world.now) continue;
    one.forgotten = true;
    world.happened.push('forgotten:expectation');
  }
  const isTaskKept = (task: Task): boolean => {
    if (later(task.appliedAt, closedMemory) >= world.now) return true;
    return (
      !isTerminal(task.state) && openOnes(world).some((one) => isRaisedBy(one, task) || isQuestionAbout(one, task))
    );
  };
  world.tasks = kept(world, world.tasks, isTaskKept, 'forgotten:task');
  forgetFacts(world);
  forgetRefusals(world);
}

function kept<T>(world: World, all: readonly T[], isKept: (one: T) => boolean, what: string): T[] {
  const remembered = all.filter(isKept);
  if (remembered.length < all.length) world.happened.push(what);
  return remembered;
}

function forgetFacts(world: World): void {
  const closedMemory = readDuration(world.settings.closedMemory) ?? zero;
  const factMemory = readDuration(world.settings.factMemory) ?? zero;
  const window = readDuration(world.settings.earlyFactWindow) ?? zero;
  for (const fact of world.facts) if (later(fact.receivedAt, window) < world.now) fact.isEarly = false;
  const isKept = (fact: Fact): boolean => {
    if (fact.served.length > 0) return later(fact.latestSatisfactionAt, closedMemory) >= world.now;
    return Math.max(later(fact.receivedAt, factMemory), later(fact.receivedAt, window)) >= world.now;
  };
  world.facts = kept(world, world.facts, isKept, 'forgotten:fact');
  const idle = world.facts.filter((fact) => fact.served.length === 0);
  const tooMany = idle.slice(0, Math.max(0, idle.length - world.settings.factMemoryMax));
  world.facts = kept(world, world.facts, (fact) => !tooMany.includes(fact), 'forgotten:fact over the maximum');
}

function forgetRefusals(world: World): void {
  for (const agentId of new Set(world.rememberedRefusals.map((one) => one.agentId))) {
    const ofAgent = world.rememberedRefusals.filter((one) => one.agentId === agentId);
    const tooMany = ofAgent.slice(0, Math.max(0, ofAgent.length - settingOf(world, agentId, 'refusalMemory')));
    world.rememberedRefusals = kept(
      world,
      world.rememberedRefusals,
      (one) => !tooMany.includes(one),
      'forgotten:refusal',
    );
  }
}
