// An expectation is withdrawn (§8.1): its successor takes its place, or what hangs from it hangs from nothing.
import type { ExpectationWithdrawn } from '../event.ts';
import { anchoredTo, moveAnchored, unlinkAnchor } from '../state/expectation.ts';
import type { State } from '../state/state.ts';
import { close } from './close.ts';
import { openOf } from './open.ts';

export function evolveWithdrawn(state: State, event: ExpectationWithdrawn): void {
  const expectation = openOf(state, event);
  if (event.supersededBy === undefined) {
    for (const anchored of anchoredTo(expectation)) unlinkAnchor(anchored);
    close(state, expectation, { satisfied: false, observedAt: 0 });
    return;
  }
  const successor = openOf(state, { agentId: event.agentId, expectationId: event.supersededBy });
  close(state, expectation, { satisfied: false, observedAt: 0, successor });
  moveAnchored(expectation, successor);
}
