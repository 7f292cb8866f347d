// Finds lapses, the latest first. Every query names the tenant; every value is a parameter.
import { In } from 'typeorm';
import type { LapseKind } from '#expectations';
import {
  type DispatchState,
  dispatchStates,
  ExpectationRow,
  identityHash,
  LapseRow,
  toStoredText,
  readRows,
} from '#read-model';
import { type Page, pageOf, QueryParameters } from '#runtime';
import { lapseKinds } from '../expectations/expectation-filter.ts';
import { isUnderPause, markHeld } from '../pauses/held.ts';
import type { Snapshot } from '../reading/snapshot.ts';
import { type LapseView, viewLapse } from './lapse-view.ts';

export interface LapseFilter {
  readonly lapse: LapseKind | undefined;
  readonly state: DispatchState | undefined;
  readonly agentId: string | undefined;
  readonly expectationId: string | undefined;
  /** Both or neither narrow by subject. */
  readonly subjectType: string | undefined;
  readonly subjectId: string | undefined;
  readonly limit: number;
  readonly cursor: readonly number[] | undefined;
}

/** Throws `Problem` (`invalid-field`) naming the parameter. */
export function readLapseFilter(query: Readonly<Record<string, unknown>>): LapseFilter {
  const parameters = new QueryParameters(query, [
    'lapse',
    'state',
    'agentId',
    'expectationId',
    'subjectType',
    'subjectId',
  ]);
  const [subjectType, subjectId] = parameters.subject();
  return {
    lapse: parameters.word('lapse', lapseKinds),
    state: parameters.word('state', dispatchStates),
    agentId: parameters.text('agentId'),
    expectationId: parameters.text('expectationId'),
    ...{ subjectType, subjectId },
    limit: parameters.limit(),
    cursor: parameters.cursor(2),
  };
}

/** One page; what is pending under a pause is `held`. */
export async function findLapses(snapshot: Snapshot, filter: LapseFilter): Promise<Page<LapseRow>> {
  const { manager, tenant, nowMs } = snapshot;
  const query = manager.createQueryBuilder(LapseRow, 'l').where('l.tenant = :tenant', { tenant: toStoredText(tenant) });
  const { lapse, state, agentId, expectationId, subjectType, subjectId, cursor, limit } = filter;
  if (lapse !== undefined) query.andWhere('l.lapse = :lapse', { lapse });
  if (state !== undefined) query.andWhere(...isIn(state, nowMs));
  if (agentId !== undefined) query.andWhere('l.agentId = :agentId', { agentId: toStoredText(agentId) });
  if (expectationId !== undefined) query.andWhere('l.expectationId = :id', { id: toStoredText(expectationId) });
  if (subjectType !== undefined && subjectId !== undefined) {
    query.andWhere('l.subjectHash = :subject', { subject: identityHash(tenant, subjectType, subjectId) });
  }
  if (cursor !== undefined) {
    const [offset, index] = cursor;
    query.andWhere('(l.ledgerOffset, l.eventIndex) < (:offset, :index)', { offset, index });
  }
  query.orderBy('l.ledgerOffset', 'DESC').addOrderBy('l.eventIndex', 'DESC');
  const rows = await readRows(query.limit(limit + 1));
  const page = pageOf(rows, limit, ({ ledgerOffset, eventIndex }) => [ledgerOffset, eventIndex]);
  return { ...page, items: await markHeld(snapshot, page.items) };
}

function isIn(state: DispatchState, nowMs: number): [condition: string, parameters: object] {
  const now = new Date(nowMs).toISOString();
  if (state === 'pending') return [`l.dispatchState = 'pending' AND NOT ${isUnderPause('l')}`, { now }];
  if (state !== 'held') return ['l.dispatchState = :state', { state }];
  return [`(l.dispatchState = 'held' OR (l.dispatchState = 'pending' AND ${isUnderPause('l')}))`, { now }];
}

/** Shows lapses with what their expectations say beside them. */
export async function viewLapses({ manager, tenant }: Snapshot, rows: readonly LapseRow[]): Promise<LapseView[]> {
  if (rows.length === 0) return [];
  const hashes = [...new Set(rows.map(({ expectationHash }) => expectationHash))];
  const expectations = await manager.find(ExpectationRow, { where: { tenant, expectationHash: In(hashes) } });
  const key = (row: LapseRow | ExpectationRow): string => `${row.expectationHash}:${row.occurrence}`;
  const byUse = new Map(expectations.map((row) => [key(row), row]));
  return rows.map((row) => viewLapse(row, byUse.get(key(row))));
}
