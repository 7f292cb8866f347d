// A lapse as it is shown: the block that the agent receives, what the due time rests on, and where its task stands.
import type { DispatchOutcome, InstantText, LapseBlock } from '#expectations';
import type { ExpectationRow, ExpectationStatus, LapseRow } from '#read-model';
import { type DispatchView, present, viewDispatch } from '../expectations/expectation-view.ts';

/** The block of §10.1, with what a reader needs beside it (§13.3: the basis). */
export interface LapseView extends LapseBlock {
  readonly agentId: string;
  /** Of the expectation; absent where it is not in the record. */
  readonly basis?: string;
  /** What has become of the expectation since: a lapsed one is open until it is satisfied or withdrawn. */
  readonly status?: ExpectationStatus;
  readonly messageId: string;
  readonly taskId: string;
  readonly contextId: string;
  readonly selfTimed: boolean;
  readonly dispatch: DispatchView & { readonly outcome?: DispatchOutcome; readonly cause?: string };
}

export function viewLapse(row: LapseRow, expectation: ExpectationRow | undefined): LapseView {
  const { agentId, block, messageId, taskId, contextId, selfTimed } = row;
  return {
    agentId,
    ...block,
    ...(expectation !== undefined && { basis: expectation.basis, status: expectation.status }),
    ...{ messageId, taskId, contextId, selfTimed },
    dispatch: { ...viewDispatch(row), ...present(row, ['outcome', 'cause']) },
  };
}

/** The way of one lapse task to its agent. */
export interface DispatchListing {
  readonly agentId: string;
  readonly expectationId: string;
  readonly lapse: LapseRow['lapse'];
  readonly messageId: string;
  readonly lapsedAt: InstantText;
  readonly state: DispatchView['state'];
  readonly taskId?: string;
  readonly attempts: number;
  readonly possibleDuplicate?: true;
  readonly outcome?: DispatchOutcome;
  readonly cause?: string;
  /** When its state changed last. */
  readonly changedAt: InstantText;
}

export function listDispatch(row: LapseRow): DispatchListing {
  const { agentId, expectationId, lapse, messageId, lapsedAt, dispatchChangedAt } = row;
  return {
    ...{ agentId, expectationId, lapse, messageId, lapsedAt },
    ...viewDispatch(row),
    ...present(row, ['outcome', 'cause']),
    changedAt: dispatchChangedAt,
  };
}
