// What an agent's id names now (semantics, *Recording*): something open, something closed and remembered, or nothing.
import type { Agent } from './state/agent.ts';
import type { ClosedExpectation } from './state/closed-memory.ts';
import { Expectation, Status } from './state/expectation.ts';
import type { State } from './state/state.ts';

export type Named =
  | { readonly open: Expectation; readonly closed?: never }
  | { readonly closed: ClosedExpectation; readonly open?: never }
  | undefined;

/** Exactly what bears the id, not its successor. */
export function findExactly(state: State, agent: Agent, expectationId: string): Named {
  const named = agent.names.get(expectationId);
  if (named?.isOpen === true) return { open: named };
  const position = state.closed.find(agent, expectationId);
  return position < 0 ? undefined : { closed: state.closed.get(position) };
}

/** What the id means in `anchor` and `after`: the latest in its line of successors. */
export function findLatest(state: State, agent: Agent, expectationId: string): Named {
  let named = findExactly(state, agent, expectationId);
  while (named?.closed?.successor !== undefined) {
    const { successor } = named.closed;
    named = typeof successor === 'number' ? { closed: state.closed.get(successor) } : { open: successor };
  }
  return named;
}

/**
 * The object to hold on to for an id: open, or named and not recorded. Undefined for what is closed for good: it
 * never means anything else to whom names it now.
 */
export function bind(state: State, agent: Agent, expectationId: string): Expectation | undefined {
  const named = findLatest(state, agent, expectationId);
  if (named !== undefined) return named.open;
  let unknown = agent.names.get(expectationId);
  if (unknown === undefined) agent.names.set(expectationId, (unknown = new Expectation(agent, expectationId)));
  unknown.namedBy += 1;
  return unknown;
}

/** One that named it is closed: a name that nobody needs is dropped. */
export function unbind(named: Expectation): void {
  if (named.status !== Status.unknown) return;
  named.namedBy -= 1;
  dropUnneeded(named);
}

export function dropUnneeded(named: Expectation): void {
  if (named.status === Status.unknown && named.namedBy === 0 && named.namers === null)
    named.agent.names.delete(named.id);
}
