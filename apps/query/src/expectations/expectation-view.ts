// An expectation as it is shown: the shape that scripts rely on.
import type { InstantText, Json, LapseKind, Subject, WarningCode, WithdrawalCause } from '#expectations';
import type { DispatchState, ExpectationRow, ExpectationStatus, LapseRow } from '#read-model';

export interface DispatchView {
  readonly state: DispatchState;
  /** The lapse task, once the agent has named it. */
  readonly taskId?: string;
  readonly attempts: number;
  /** One of them may have made a second task: the agent could not tell what became of an earlier one. */
  readonly possibleDuplicate?: true;
}

export interface LapseMark {
  readonly lapse: LapseKind;
  readonly lapsedAt: InstantText;
  readonly messageId: string;
  readonly dispatch: DispatchView;
}

export interface ExpectationView {
  readonly agentId: string;
  readonly expectationId: string;
  readonly kind: string;
  readonly subject: Subject;
  readonly expects: string;
  readonly factKey: string;
  readonly basis: string;
  readonly status: ExpectationStatus;
  readonly projectedDueAt: InstantText;
  readonly dueAt: InstantText;
  readonly grace: string;
  readonly horizon?: InstantText;
  readonly anchor?: { readonly expectationId: string; readonly offset: string };
  /** When its anchor was satisfied and the current due time set; absent while that is open. */
  readonly reanchoredAt?: InstantText;
  readonly after: readonly string[];
  readonly suspended: boolean;
  readonly lineage: number;
  readonly supersedes?: string;
  readonly supersededBy?: string;
  readonly question: boolean;
  readonly taskId: string;
  readonly contextId: string;
  readonly recordedAt: InstantText;
  readonly satisfiedAt?: InstantText;
  readonly observedAt?: InstantText;
  readonly source?: string;
  readonly late?: boolean;
  readonly reportedLate?: boolean;
  readonly withdrawn?: WithdrawalCause;
  readonly withdrawnAt?: InstantText;
  readonly reason?: string;
  readonly lapses: readonly LapseMark[];
  /** A lapse of it is of an agent that keeps its own time: recorded, not submitted. */
  readonly selfTimed: boolean;
  readonly warnings: readonly (WarningCode | 'nothing_will_lapse')[];
  readonly raised: { readonly [key: string]: Json };
}

const optional = [
  'horizon',
  'anchor',
  'reanchoredAt',
  'supersedes',
  'supersededBy',
  'satisfiedAt',
  'observedAt',
  'source',
  'late',
  'reportedLate',
  'withdrawn',
  'withdrawnAt',
  'reason',
] as const;

/** Shows a row with its lapses, in the order decided; `asOf` is the log's last instant. */
export function viewExpectation(
  row: ExpectationRow,
  lapses: readonly LapseRow[],
  asOf: InstantText | null,
): ExpectationView {
  return {
    agentId: row.agentId,
    expectationId: row.expectationId,
    kind: row.kind,
    subject: { type: row.subjectType, id: row.subjectId },
    expects: row.expects,
    factKey: row.factKey,
    basis: row.basis,
    status: row.status,
    projectedDueAt: row.projectedDueAt,
    dueAt: row.dueAt,
    grace: row.grace,
    after: row.after,
    suspended: row.suspended,
    lineage: row.lineage,
    question: row.question,
    taskId: row.taskId,
    contextId: row.contextId,
    recordedAt: row.recordedAt,
    ...present(row, optional),
    lapses: lapses.map(markLapse),
    selfTimed: lapses.some(({ selfTimed }) => selfTimed),
    warnings: willNothingLapse(row, lapses, asOf) ? [...row.warnings, 'nothing_will_lapse'] : row.warnings,
    raised: row.raised,
  };
}

/** Of an expectation that is suspended and cannot lapse any more (semantics, *States*): no horizon, or it is past, or it has stalled. */
function willNothingLapse(row: ExpectationRow, lapses: readonly LapseRow[], asOf: InstantText | null): boolean {
  if (!row.suspended) return false;
  const isPast = row.horizon !== null && asOf !== null && Date.parse(row.horizon) < Date.parse(asOf);
  return row.horizon === null || isPast || lapses.some(({ lapse }) => lapse === 'stalled');
}

function markLapse(row: LapseRow): LapseMark {
  return { lapse: row.lapse, lapsedAt: row.lapsedAt, messageId: row.messageId, dispatch: viewDispatch(row) };
}

export function viewDispatch({ dispatchState, dispatchTaskId, attempts, possibleDuplicate }: LapseRow): DispatchView {
  return {
    state: dispatchState,
    ...(dispatchTaskId !== null && { taskId: dispatchTaskId }),
    attempts,
    ...(possibleDuplicate && { possibleDuplicate }),
  };
}

type Present<Row, Name extends keyof Row> = { [Property in Name]?: NonNullable<Row[Property]> };

/** The properties that are not null. */
export function present<Row, Name extends keyof Row>(row: Row, names: readonly Name[]): Present<Row, Name> {
  const found: { [Property in Name]?: Row[Property] } = {};
  for (const name of names) if (row[name] !== null) found[name] = row[name];
  return found as Present<Row, Name>;
}
