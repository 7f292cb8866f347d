// A pause as it is shown.
import type { DispatchScope } from '#event-log';
import type { InstantText } from '#expectations';
import type { PauseRow } from '#read-model';

export const pauseStates = ['coming', 'active', 'ended'] as const;

export type PauseState = (typeof pauseStates)[number];

export interface PauseView {
  readonly pauseId: string;
  readonly state: PauseState;
  /** Which lapses it holds: those that fit all of it; every one of the tenant where it is empty. */
  readonly scope: DispatchScope;
  readonly reason: string;
  readonly from: InstantText;
  readonly until: InstantText;
  /** The name of the key, and when the log had it. */
  readonly by: string;
  readonly pausedAt: InstantText;
  /** Where it was ended before its time. */
  readonly endedAt?: InstantText;
  readonly endedBy?: string;
}

export function viewPause(row: PauseRow, nowMs: number): PauseView {
  const { pauseId, reason, pausedBy, pausedAt, fromAt, untilAt, endedAt, endedBy } = row;
  return {
    pauseId,
    state: stateOf(row, nowMs),
    scope: scopeOf(row),
    reason,
    ...{ from: fromAt, until: untilAt, by: pausedBy, pausedAt },
    ...(endedAt !== null && { endedAt }),
    ...(endedBy !== null && { endedBy }),
  };
}

/** As the query `pauseIs` has it. */
function stateOf({ fromAt, isFromGiven, untilAt, endedAt }: PauseRow, nowMs: number): PauseState {
  if (endedAt !== null || Date.parse(untilAt) <= nowMs) return 'ended';
  return isFromGiven && nowMs < Date.parse(fromAt) ? 'coming' : 'active';
}

function scopeOf({ agentId, kind, subjectType, subjectId }: PauseRow): DispatchScope {
  return {
    ...(agentId !== null && { agentId }),
    ...(kind !== null && { kind }),
    ...(subjectType !== null && subjectId !== null && { subject: { type: subjectType, id: subjectId } }),
  };
}
