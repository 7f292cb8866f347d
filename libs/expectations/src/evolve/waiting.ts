// What waits for a fact, by its key, in the order of recording; and how many wait.
import type { Expectation } from '../state/expectation.ts';
import type { State } from '../state/state.ts';

export function awaitFact(state: State, expectation: Expectation): void {
  const waiting = state.waiting.get(expectation.factKey);
  if (waiting === undefined) state.waiting.set(expectation.factKey, expectation);
  else if (waiting instanceof Set) waiting.add(expectation);
  else state.waiting.set(expectation.factKey, new Set([waiting, expectation]));
  expectation.agent.openCount += 1;
  state.openCount += 1;
}

export function stopWaiting(state: State, expectation: Expectation): void {
  const waiting = state.waiting.get(expectation.factKey);
  if (waiting instanceof Set) waiting.delete(expectation);
  if (waiting === expectation || (waiting instanceof Set && waiting.size === 0))
    state.waiting.delete(expectation.factKey);
  expectation.agent.openCount -= 1;
  state.openCount -= 1;
}
