// A subject's timeline: what was projected when it was raised, what is due by now, what happened (§9.3).
import type { InstantText, Subject } from '#expectations';
import { ExpectationRow, identityHash, LapseRow } from '#read-model';
import { viewExpectations } from '../expectations/expectation-query.ts';
import type { ExpectationView } from '../expectations/expectation-view.ts';
import { viewLapses } from '../lapses/lapse-query.ts';
import type { LapseView } from '../lapses/lapse-view.ts';
import { markHeld } from '../pauses/held.ts';
import { findFacts } from '../records/fact-query.ts';
import type { FactView } from '../records/fact-view.ts';
import type { Snapshot } from '../reading/snapshot.ts';

/** Of expectations, lapses and facts each, the latest. */
const MOST = 1_000;

export interface TrackPoint {
  readonly agentId: string;
  readonly expectationId: string;
  readonly at: InstantText;
}

export interface Timeline {
  readonly subject: Subject;
  /** The log's last instant. */
  readonly asOf: InstantText | null;
  readonly tracks: {
    /** Due as raised. */
    readonly projected: readonly TrackPoint[];
    /** Due by now. Uncertain while the anchor it waits for is not satisfied (§13.3). */
    readonly current: readonly (TrackPoint & { readonly isCertain: boolean })[];
    /** When what satisfied it was observed. A step without a point here has not happened, or was never reported. */
    readonly actual: readonly (TrackPoint & { readonly late: boolean })[];
  };
  /** In the order in which they were to happen. */
  readonly expectations: readonly ExpectationView[];
  readonly lapses: readonly LapseView[];
  readonly facts: readonly FactView[];
  readonly superseded: readonly (TrackPoint & { readonly supersededBy: string })[];
  /** More is recorded on it than is shown. */
  readonly isTruncated: boolean;
}

/** Undefined where nothing is recorded on the subject. */
export async function findTimeline(snapshot: Snapshot, subject: Subject): Promise<Timeline | undefined> {
  const { manager, tenant, asOf } = snapshot;
  const subjectHash = identityHash(tenant, subject.type, subject.id);
  const latest = {
    where: { tenant, subjectHash },
    order: { ledgerOffset: 'DESC', eventIndex: 'DESC' },
    take: MOST,
  } as const;
  const rows = await manager.find(ExpectationRow, latest);
  const lapseRows = await manager.find(LapseRow, latest);
  const facts = await findFacts(snapshot, { subjectType: subject.type, subjectId: subject.id, limit: MOST });
  if (rows.length + facts.items.length === 0) return undefined;
  const expectations = (await viewExpectations(snapshot, rows)).sort(byProjection);
  return {
    subject,
    asOf,
    tracks: tracksOf(expectations),
    expectations,
    lapses: (await viewLapses(snapshot, await markHeld(snapshot, lapseRows))).reverse(),
    facts: [...facts.items].reverse(),
    superseded: expectations.flatMap(supersededOf),
    isTruncated: rows.length === MOST || lapseRows.length === MOST || facts.next !== undefined,
  };
}

function byProjection(one: ExpectationView, other: ExpectationView): number {
  const byDue = Date.parse(one.projectedDueAt) - Date.parse(other.projectedDueAt);
  return byDue === 0 ? Date.parse(one.recordedAt) - Date.parse(other.recordedAt) : byDue;
}

function tracksOf(expectations: readonly ExpectationView[]): Timeline['tracks'] {
  const name = ({ agentId, expectationId }: ExpectationView): Omit<TrackPoint, 'at'> => ({ agentId, expectationId });
  return {
    projected: expectations.map((each) => ({ ...name(each), at: each.projectedDueAt })),
    current: expectations.map((each) => ({ ...name(each), at: each.dueAt, isCertain: isCertain(each) })),
    actual: expectations.flatMap((each) =>
      each.observedAt === undefined ? [] : [{ ...name(each), at: each.observedAt, late: each.late === true }],
    ),
  };
}

function isCertain({ anchor, reanchoredAt, status }: ExpectationView): boolean {
  return anchor === undefined || reanchoredAt !== undefined || status !== 'open';
}

function supersededOf(view: ExpectationView): Timeline['superseded'] {
  const { agentId, expectationId, supersededBy, withdrawnAt } = view;
  if (supersededBy === undefined || withdrawnAt === undefined) return [];
  return [{ agentId, expectationId, at: withdrawnAt, supersededBy }];
}
