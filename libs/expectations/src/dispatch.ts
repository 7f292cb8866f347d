// Leave to send a lapse task, by the log's order: what was closed first is not submitted (semantics, *Lapse tasks*).
import type { DispatchVoided } from './event.ts';
import type { DispatchAcknowledged, DispatchAttempted, DispatchFailed, LapseKind } from './input.ts';
import { findExactly } from './names.ts';
import { type Expectation, lapseKinds } from './state/expectation.ts';
import type { Turn } from './turn.ts';

/** Answers the dispatcher: attempted, or void with the cause. */
export function decideAttempt(turn: Turn, input: DispatchAttempted): void {
  const { agentId, expectationId, lapse, attempt, possibleDuplicate } = input;
  const cause = whyVoid(turn, input);
  const of = { at: turn.at, agentId, expectationId, lapse, attempt };
  if (cause === undefined)
    turn.emit({ type: 'dispatchAttempted', ...of, ...(possibleDuplicate && { possibleDuplicate }) });
  else turn.emit({ type: 'dispatchVoided', ...of, cause });
}

function whyVoid(turn: Turn, input: DispatchAttempted): DispatchVoided['cause'] | undefined {
  const agent = turn.state.agents.get(input.agentId);
  const named = agent === undefined ? undefined : findExactly(turn.state, agent, input.expectationId);
  if (named?.closed !== undefined) return named.closed.satisfied ? 'satisfied' : 'withdrawn';
  if (named?.open.lapses.includes(input.lapse) !== true) return 'unknown';
  return named.open.isPending(input.lapse) ? undefined : 'acknowledged';
}

/** What the dispatcher has learned is recorded as it came, also of what has closed meanwhile. */
export function decideOutcome(turn: Turn, input: DispatchAcknowledged | DispatchFailed): void {
  turn.emit({ ...input, at: turn.at });
}

/** The lapses of an open expectation that still wait to be submitted. */
export function pendingOf(expectation: Expectation): readonly LapseKind[] {
  return expectation.hasLapsed ? lapseKinds.filter((kind) => expectation.isPending(kind)) : [];
}

/** It has closed: what waited is not submitted any more; the record keeps it. */
export function voidPending(
  turn: Turn,
  agentId: string,
  expectationId: string,
  pending: readonly LapseKind[],
  cause: 'satisfied' | 'withdrawn',
): void {
  for (const lapse of pending) {
    turn.emit({ type: 'dispatchVoided', at: turn.at, agentId, expectationId, lapse, attempt: 0, cause });
  }
}
