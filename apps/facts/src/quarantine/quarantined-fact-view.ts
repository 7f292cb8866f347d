// A quarantined fact as it is shown.
import type { QuarantinedFact, QuarantineState } from '#runtime';
import { quarantineId } from '#writes';

export interface QuarantinedFactView {
  readonly id: string;
  readonly receivedAt: string;
  readonly reporter: string;
  /** As it was sent. */
  readonly fact: unknown;
  /** Why it was not believed. */
  readonly reason: string;
  readonly state: QuarantineState;
  readonly settledAt?: string;
  /** The name of the key that released or discarded it. */
  readonly settledBy?: string;
  /** Of its release, in the log. */
  readonly position?: string;
  readonly discardReason?: string;
}

export function viewQuarantinedFact(row: QuarantinedFact): QuarantinedFactView {
  const { receivedAt, reporter, fact, reason, state, settledAt, settledBy, position, discardReason } = row;
  return {
    id: quarantineId(row),
    receivedAt: receivedAt.toISOString(),
    reporter: JSON.parse(reporter) as string,
    fact: JSON.parse(fact) as unknown,
    reason,
    state,
    ...(settledAt !== null && { settledAt: settledAt.toISOString() }),
    ...(settledBy !== null && { settledBy }),
    ...(position !== null && { position }),
    ...(discardReason !== null && { discardReason }),
  };
}
