// A lapse of the outbox as it was read.
import type { ExpectationLapsed } from '#expectations';
import type { Attempted } from './after-attempt.ts';
import type { OutboxRow, OutboxState } from './outbox-row.entity.ts';

/** One lapse that waits, as it was read. */
export interface WaitingLapse extends Attempted {
  readonly lapseKey: string;
  /** Another one where the lapse is another's by now, of an id used again. */
  readonly seq: string;
  readonly tenant: string;
  readonly state: OutboxState;
  /** True while the log is still to be told something of it: it waits until that is done. */
  readonly isUntold: boolean;
}

/** What stands in `lapsed` of a row, as JSON. */
export interface Kept {
  readonly tenant: string;
  readonly event: ExpectationLapsed;
}

export function toWaiting(row: OutboxRow): WaitingLapse {
  const { lapseKey, seq, state, attempt, abandonedAttempt, lastOutcome, closed } = row;
  const { tenant, event } = JSON.parse(row.lapsed) as Kept;
  return {
    lapseKey,
    seq,
    tenant,
    lapsed: event,
    state,
    attempt,
    isAbandoned: attempt === abandonedAttempt,
    lastOutcome,
    closed,
    isUntold: row.report !== null,
  };
}
