// How far a lapse task has come: only whether it still waits to be submitted matters to a decision.
import type {
  DispatchAcknowledgedEvent,
  DispatchAttemptedEvent,
  DispatchFailedEvent,
  DispatchVoided,
} from '../event.ts';
import type { State } from '../state/state.ts';

type DispatchEvent = DispatchAttemptedEvent | DispatchAcknowledgedEvent | DispatchFailedEvent | DispatchVoided;

export function evolveDispatch(state: State, event: DispatchEvent): void {
  if (event.type !== 'dispatchAcknowledged') return;
  const expectation = state.agents.get(event.agentId)?.names.get(event.expectationId);
  if (expectation?.isOpen === true) expectation.setPending(event.lapse, false);
}
