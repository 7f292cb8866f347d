// Which lapses wait for a pause to end, worked out when they are read: no event says so.
import type { LapseRow } from '#read-model';
import { PauseRow, toStoredText } from '#read-model';
import type { Snapshot } from '../reading/snapshot.ts';
import type { PauseState } from './pause-view.ts';

/** Of a pause `alias`, at the parameter `:now`: whether it is in that state, in SQL. */
export function pauseIs(state: PauseState, alias: string): string {
  const hasEnded = `(${alias}.ended_at IS NOT NULL OR ${alias}.until_at <= :now)`;
  const isComing = `(${alias}.is_from_given AND ${alias}.from_at > :now)`;
  if (state === 'ended') return hasEnded;
  return `NOT ${hasEnded} AND ${state === 'coming' ? isComing : `NOT ${isComing}`}`;
}

/** True of a lapse `alias` of the tenant `:tenant` that a pause holds at `:now`, in SQL, whatever its own state says. */
export function isUnderPause(alias: string): string {
  const same = (column: string): string => `(held.${column} IS NULL OR held.${column} = ${alias}.${column})`;
  return `EXISTS (
    SELECT FROM duewatch_read.pause held
     WHERE held.tenant = :tenant AND ${pauseIs('active', 'held')} AND ${same('agent_id')} AND ${same('subject_hash')}
       AND (held.kind IS NULL OR held.kind = (
         SELECT raised.kind FROM duewatch_read.expectation raised
          WHERE raised.expectation_hash = ${alias}.expectation_hash AND raised.occurrence = ${alias}.occurrence)))`;
}

/** The rows as they were read, changed: those that are pending under a pause are `held`. */
export async function markHeld(snapshot: Snapshot, rows: readonly LapseRow[]): Promise<readonly LapseRow[]> {
  if (!rows.some(({ dispatchState }) => dispatchState === 'pending')) return rows;
  const pauses = await pausesInForce(snapshot);
  if (pauses.length === 0) return rows;
  for (const row of rows) {
    if (row.dispatchState === 'pending' && pauses.some((pause) => fits(pause, row))) row.dispatchState = 'held';
  }
  return rows;
}

function pausesInForce({ manager, tenant, nowMs }: Snapshot): Promise<PauseRow[]> {
  return manager
    .createQueryBuilder(PauseRow, 'p')
    .where('p.tenant = :tenant', { tenant: toStoredText(tenant) })
    .andWhere(pauseIs('active', 'p'), { now: new Date(nowMs).toISOString() })
    .getMany();
}

function fits({ agentId, kind, subjectHash }: PauseRow, row: LapseRow): boolean {
  return (
    (agentId === null || agentId === row.agentId) &&
    (kind === null || kind === row.block.kind) &&
    (subjectHash === null || subjectHash === row.subjectHash)
  );
}
