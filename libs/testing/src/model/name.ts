// Which expectation a name means: an id binds once, to what is known or to the first recorded later, and from then on
// follows successors, also when what it bound to is forgotten (semantics, *Recording* and *Memory*).
import type { Expectation, Name, World } from './world.ts';

/** The expectation of that id the agent is known to have had recorded. */
export function knownAs(world: World, agentId: string, id: string): Expectation | undefined {
  return world.expectations.find((one) => one.agentId === agentId && one.id === id && !one.forgotten);
}

/** Follows successors to the last one. */
export function latest(expectation: Expectation): Expectation {
  let last = expectation;
  while (last.successor !== undefined) last = last.successor;
  return last;
}

/** What the name means now, if it means anything yet. */
export function meaningOf(name: Name | undefined): Expectation | undefined {
  return name?.meant === undefined ? undefined : latest(name.meant);
}

/** A new expectation takes the names that wait for its id. */
export function bindNames(world: World, recorded: Expectation): void {
  for (const other of world.expectations) {
    if (other.agentId !== recorded.agentId) continue;
    for (const name of [...(other.anchor === undefined ? [] : [other.anchor]), ...other.after]) {
      if (name.meant === undefined && name.id === recorded.id) name.meant = recorded;
    }
  }
}

/** The open expectations anchored to this one and not re-anchored yet, in the order recorded. */
export function anchoredTo(world: World, anchor: Expectation): Expectation[] {
  return world.expectations.filter(
    (one) => one.status === 'open' && !one.reanchored && meaningOf(one.anchor) === anchor,
  );
}

/** How many open anchors stand before it. */
export function depthOf(expectation: Expectation): number {
  let depth = 0;
  let anchor = meaningOf(expectation.anchor);
  while (anchor !== undefined && anchor.status === 'open') {
    depth += 1;
    anchor = meaningOf(anchor.anchor);
  }
  return depth;
}
