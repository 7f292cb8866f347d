// A lapse and the way of its task to the agent, folded.
import type {
  DispatchAcknowledgedEvent,
  DispatchAttemptedEvent,
  DispatchFailedEvent,
  DispatchVoided,
  ExpectationLapsed,
} from '#expectations';
import type { DispatchDiscarded, DispatchRetried } from '#event-log';
import { identityHash } from '../stored-text.ts';
import type { DispatchState, LapseRow } from '../tables/lapse.entity.ts';
import { type Changes, expectationHashOf, lapseKey, type Origin } from './changes.ts';

type DispatchEvent = DispatchAttemptedEvent | DispatchAcknowledgedEvent | DispatchFailedEvent | DispatchVoided;

/** Refused and unreachable ones are tried again until they are parked. */
const stateAfterFailure: Record<DispatchFailedEvent['outcome'], DispatchState> = {
  refused: 'pending',
  unreachable: 'pending',
  unknown: 'unknown',
  parked: 'parked',
};

export function foldDispatch(changes: Changes, origin: Origin, event: ExpectationLapsed | DispatchEvent): void {
  const expectationHash = expectationHashOf(origin.tenant, event);
  if (event.type === 'expectationLapsed') {
    const row = lapsedRow(expectationHash, changes.occurrenceOf(expectationHash), origin, event);
    changes.lapsed.set(lapseKey(row), row);
    return;
  }
  if (event.type === 'dispatchVoided' && isOfNoEffect(event)) return;
  if (event.type === 'dispatchAcknowledged') {
    return acknowledge(changes, changes.lapse(expectationHash, event.lapse), origin, event);
  }
  const row = changes.unfinishedLapse(expectationHash, event.lapse);
  if (event.type === 'dispatchAttempted') attempt(row, event);
  else if (event.type === 'dispatchFailed') fail(row, event);
  else voidLapse(row, event.at, event.cause);
}

/** What a person has asked of a lapse: retried, where it is parked; void, unless it is with its agent, or void already. */
export function foldDispatchAct(
  changes: Changes,
  { tenant }: Origin,
  event: DispatchRetried | DispatchDiscarded,
): void {
  const expectationHash = expectationHashOf(tenant, event);
  if (event.type === 'dispatchRetried') changes.retryLapse(expectationHash, event.lapse, event.at);
  else voidLapse(changes.unfinishedLapse(expectationHash, event.lapse), event.at, 'discarded');
}

/** What called it off first stays the cause. */
function voidLapse(row: Partial<LapseRow> | undefined, at: string, cause: string): void {
  if (row === undefined) return;
  row.dispatchChangedAt = at;
  row.dispatchState = 'voided';
  row.cause = cause;
}

/** Leave may be given for what was discarded, or found at its agent, meanwhile: then it is not used. */
function attempt(row: Partial<LapseRow> | undefined, event: DispatchAttemptedEvent): void {
  if (row === undefined) return;
  row.dispatchChangedAt = event.at;
  row.dispatchState = 'sending';
  row.attempts = event.attempt;
  if (event.possibleDuplicate === true) row.possibleDuplicate = true;
}

/** A failure may be told late, when nothing depends on that attempt any more: then there is no row to change. */
function fail(row: Partial<LapseRow> | undefined, event: DispatchFailedEvent): void {
  if (row === undefined) return;
  row.dispatchChangedAt = event.at;
  row.dispatchState = stateAfterFailure[event.outcome];
  row.attempts = event.attempt;
  row.outcome = event.outcome;
  row.cause = event.cause;
}

/** An attempt that was answered so because the task has been submitted already, or because there is no such lapse. */
function isOfNoEffect({ cause }: DispatchVoided): boolean {
  return cause === 'acknowledged' || cause === 'unknown';
}

/** An agent that answers with a message instead of a task has nothing further to conclude. */
function acknowledge(
  changes: Changes,
  row: Partial<LapseRow>,
  { tenant, ledgerOffset }: Origin,
  event: DispatchAcknowledgedEvent,
): void {
  row.dispatchChangedAt = event.at;
  row.attempts = event.attempt;
  row.dispatchState = event.taskId === undefined ? 'concluded' : 'submitted';
  if (event.taskId === undefined) return;
  row.dispatchTaskId = event.taskId;
  row.dispatchTaskHash = identityHash(tenant, event.agentId, event.taskId);
  const { agentId, taskId } = event;
  const taskHash = row.dispatchTaskHash;
  changes.awaitTask({ taskHash, awaitedFor: taskHash, ledgerOffset, tenant, agentId, taskId });
  changes.submitted(row, taskHash);
}

function lapsedRow(expectationHash: string, occurrence: number, origin: Origin, event: ExpectationLapsed): LapseRow {
  const { lapse: block, agentId, expectationId, taskId, contextId, messageId, selfTimed } = event;
  return {
    expectationHash,
    occurrence,
    lapse: block.lapse,
    ...origin,
    agentId,
    expectationId,
    subjectHash: identityHash(origin.tenant, block.subject.type, block.subject.id),
    lapsedAt: block.lapsedAt,
    taskId,
    contextId,
    messageId,
    block,
    selfTimed,
    dispatchState: selfTimed ? 'held' : 'pending',
    dispatchTaskId: null,
    dispatchTaskHash: null,
    attempts: 0,
    possibleDuplicate: false,
    outcome: null,
    cause: null,
    dispatchChangedAt: event.at,
  };
}
