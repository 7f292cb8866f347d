// The fold: what has been decided changes the state. Total; it never refuses and decides nothing.
import type { Event } from './event.ts';
import { evolveAgentDeclared, evolveConfigured, evolveRefused, evolveStatus } from './evolve/agent.ts';
import { evolveDispatch } from './evolve/dispatch.ts';
import { evolveFactRecorded, evolveFactRepeated, evolveSatisfied } from './evolve/fact.ts';
import { evolveLapsed, evolveReanchored, evolveReleased, evolveSuspended } from './evolve/open.ts';
import { evolveRecorded } from './evolve/recorded.ts';
import { evolveWithdrawn } from './evolve/withdrawn.ts';
import { parseInstant } from './instant.ts';
import { forget } from './memory.ts';
import type { State } from './state/state.ts';
import { unreachable } from './unreachable.ts';

/** Applies one event of the tenant's ledger, in order. The state is changed in place. */
export function evolve(state: State, event: Event): void {
  if (event.at !== lastText) {
    lastText = event.at;
    lastInstant = parseInstant(event.at);
  }
  evolveAt(state, event, lastInstant);
}

/** Likewise, its instant in epoch milliseconds. */
export function evolveAt(state: State, event: Event, nowMs: number): void {
  if (nowMs > state.now) state.now = nowMs;
  if (!isOfDeadline(event)) forget(state);
  apply(state, event);
}

// The instant parsed last: events come in runs of one instant.
let lastText = '';
let lastInstant = NaN;

/** Deadlines fire before an input's *Memory* is applied; every other event comes after it. */
function isOfDeadline(event: Event): boolean {
  switch (event.type) {
    case 'expectationLapsed':
    case 'expectationSuspended':
      return true;
    case 'expectationWithdrawn':
      return event.withdrawn === 'retired';
    case 'dispatchVoided':
      return event.attempt === 0;
    default:
      return false;
  }
}

function apply(state: State, event: Event): void {
  switch (event.type) {
    case 'agentDeclared':
      return evolveAgentDeclared(state, event);
    case 'configured':
      return evolveConfigured(state, event);
    case 'expectationRecorded':
      return evolveRecorded(state, event);
    case 'expectationRefused':
      return evolveRefused(state, event);
    case 'expectationSuspended':
      return evolveSuspended(state, event);
    case 'expectationReleased':
      return evolveReleased(state, event);
    case 'expectationReanchored':
      return evolveReanchored(state, event);
    case 'expectationSatisfied':
      return evolveSatisfied(state, event);
    case 'expectationWithdrawn':
      return evolveWithdrawn(state, event);
    case 'expectationLapsed':
      return evolveLapsed(state, event);
    case 'factRecorded':
      return evolveFactRecorded(state, event);
    case 'factRepeated':
      return evolveFactRepeated(state, event);
    case 'statusApplied':
      return evolveStatus(state, event);
    case 'dispatchAttempted':
    case 'dispatchAcknowledged':
    case 'dispatchFailed':
    case 'dispatchVoided':
      return evolveDispatch(state, event);
    case 'expectationRepeated':
    case 'factRefused':
    case 'statusIgnored':
    case 'inputIgnored':
      return;
    default:
      return unreachable(event);
  }
}
