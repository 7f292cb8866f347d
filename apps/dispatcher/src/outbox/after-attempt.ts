// What becomes of a row after an attempt, or after a look for it at the agent. Pure: the rules of the outbox.
// A row is removed only where nothing is left to do and nothing to tell; the log is told each change of outcome.
import type { DispatchOutcome, ExpectationLapsed } from '#expectations';
import type { UntimedInput } from '#event-log';
import type { FindOutcome, SendOutcome } from '#protocol';
import type { OutboxState } from './outbox-row.entity.ts';

/** The row as it was when the attempt ended. */
export interface Attempted {
  readonly lapsed: ExpectationLapsed;
  readonly attempt: number;
  readonly lastOutcome: string | null;
  readonly closed: boolean;
  /** Nobody heard how the attempt ended: whoever made it may, for what is known here, be at it still. */
  readonly isAbandoned: boolean;
}

/** What is to be written; `remove` where the row is done with. */
export type RowChange =
  | { readonly remove: true }
  | {
      readonly remove: false;
      readonly state: OutboxState;
      readonly attempt: number;
      /** Milliseconds from now. */
      readonly delayMs: number;
      readonly lastOutcome: string | null;
      readonly report: UntimedInput | null;
    };

/** After a send. `delayMs` is how long to wait where it is to be tried, or looked for, again. */
export function afterSend(row: Attempted, sent: SendOutcome, delayMs: number): RowChange {
  switch (sent.outcome) {
    case 'acknowledged':
      return submitted(row, sent.taskId);
    case 'unknown':
      return failed(row, 'unknown', sent.cause, { state: 'unknown', attempt: row.attempt, delayMs });
    case 'unreachable':
      return again(row, 'unreachable', sent.cause, delayMs);
    case 'refused':
      return sent.permanent ? parked(row, sent.cause) : again(row, 'refused', sent.cause, delayMs);
  }
}

/**
 * After a look for it at the agent. One that can never tell is sent it again, late rather than never (§10.1), `delayMs`
 * from now; as that may make a second task, the log is asked anew, and told so. The same where the agent has none of an
 * attempt that was abandoned: that may come yet.
 */
export function afterFind(row: Attempted, found: FindOutcome, delayMs: number): RowChange {
  if (found.outcome === 'found') return submitted(row, found.taskId);
  if (found.outcome === 'cannotTell' && found.temporary) {
    return {
      remove: false,
      state: 'unknown',
      attempt: row.attempt,
      delayMs,
      lastOutcome: row.lastOutcome,
      report: null,
    };
  }
  if (row.closed) return { remove: true };
  if (found.outcome === 'absent' && !row.isAbandoned) return resent(row);
  const { lapsed, lastOutcome } = row;
  const attempt = row.attempt + 1;
  const report = { type: 'dispatchAttempted', ...attemptOf({ lapsed, attempt }), possibleDuplicate: true } as const;
  return { remove: false, state: 'asked', attempt, delayMs, lastOutcome, report };
}

/**
 * Sent again at once, because the agent has none of it, or makes one task of one message: nothing doubles. Of what was
 * closed meanwhile it stays to be known whether the agent has it.
 */
export function resent(row: Attempted): RowChange {
  const { attempt, lastOutcome, closed } = row;
  const next = closed ? ({ state: 'unknown', attempt } as const) : ({ state: 'ready', attempt: attempt + 1 } as const);
  return { remove: false, ...next, delayMs: 0, lastOutcome, report: null };
}

/** Where it cannot be sent at all until the agent is registered anew. */
export function parked(row: Attempted, cause: string): RowChange {
  return failed(row, 'parked', cause, { state: 'parked', attempt: row.attempt, delayMs: 0 });
}

function again(row: Attempted, outcome: DispatchOutcome, cause: string, delayMs: number): RowChange {
  return failed(row, outcome, cause, { state: 'ready', attempt: row.attempt + 1, delayMs });
}

// What was closed meanwhile is not sent again, and the ledger has voided it already.
function failed(
  row: Attempted,
  outcome: DispatchOutcome,
  cause: string,
  next: { readonly state: OutboxState; readonly attempt: number; readonly delayMs: number },
): RowChange {
  if (row.closed && outcome !== 'unknown') return { remove: true };
  const isTold = row.lastOutcome === outcome || row.closed;
  const report = isTold ? null : ({ type: 'dispatchFailed', ...attemptOf(row), outcome, cause } as const);
  return { remove: false, ...next, lastOutcome: outcome, report };
}

function submitted(row: Attempted, taskId: string | undefined): RowChange {
  const report = { type: 'dispatchAcknowledged', ...attemptOf(row), ...(taskId !== undefined && { taskId }) } as const;
  return { remove: false, state: 'submitted', attempt: row.attempt, delayMs: 0, lastOutcome: row.lastOutcome, report };
}

/** What names an attempt to the log. */
export function attemptOf({ lapsed, attempt }: Pick<Attempted, 'lapsed' | 'attempt'>) {
  const { agentId, expectationId, lapse } = lapsed;
  return { agentId, expectationId, lapse: lapse.lapse, attempt };
}
