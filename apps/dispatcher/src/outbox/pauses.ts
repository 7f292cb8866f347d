// Which lapses are under a pause, and until when, in SQL: a lapse is held where all of a pause's scope is its own.
// It must never hold what may be with the agent: that goes on being looked for.
import type { EntityManager } from 'typeorm';
import type { DispatchPaused, DispatchResumed } from '#event-log';
import { parseInstant } from '#expectations';
import { agentKeyOf, kindKeyOf, pauseKeyOf, subjectKeyOf, tenantKeyOf } from './lapse-key.ts';

/** What a pause holds: leave is not asked for it, and what has leave is not sent. */
const heldStates = `('pending', 'ready')`;

/** The parts of a scope; a pause is of those that it names. */
const parts = ['agent_key', 'kind_key', 'subject_key'] as const;
const scopes = Array.from({ length: 2 ** parts.length }, (_, bits) => parts.filter((__, bit) => (bits >> bit) & 1));

/**
 * True of a row that no pause holds at the instant `now`, an expression; `tenantKey` is one that gives the tenant of all
 * rows, where it is known. Each kind of scope is looked up by itself, hashed once for all rows: compared one with one,
 * many rows and many pauses would take minutes.
 */
export function isNotHeld(row: string, now: string, tenantKey?: string): string {
  const inForce = `held.from_at <= ${now} AND held.until_at > ${now}${tenantKey === undefined ? '' : ` AND held.tenant_key = ${tenantKey}`}`;
  const held = scopes.map((named) => {
    const keys = named.length === 0 ? ['tenant_key'] : named;
    const of = (table: string): string => keys.map((key) => `${table}.${key}`).join();
    const isOfScope = parts.map((part) => `held.${part} IS ${named.includes(part) ? 'NOT NULL' : 'NULL'}`);
    return `(${of(row)}) IN (SELECT ${of('held')} FROM duewatch_dispatch.pause AS held
      WHERE ${inForce} AND ${isOfScope.join(' AND ')})`;
  });
  return `NOT (${row}.state IN ${heldStates} AND (${held.join(' OR ')}))`;
}

/**
 * When something may be done about the first of an agent's rows `row`, none of which is free at the instant `now`: an
 * aggregate, null where there are none. It may be early, by the first pause of the tenant to end: no row is asked which
 * one holds it, for they may be very many.
 */
export function firstDueAt(row: string, now: string): string {
  const waitsForPause = `(${row}.state IN ${heldStates} AND ${row}.next_at <= ${now})`;
  const firstEnd = `(SELECT min(held.until_at) FROM duewatch_dispatch.pause AS held
    WHERE held.tenant_key = max(${row}.tenant_key) AND held.from_at <= ${now} AND held.until_at > ${now})`;
  return `least(min(${row}.next_at) FILTER (WHERE NOT ${waitsForPause}),
    CASE WHEN bool_or(${waitsForPause}) THEN coalesce(${firstEnd}, ${now}) END)`;
}

/**
 * Keeps a pause. One of the same id stays as it is. Where it does not say from when on, it counts at once, whatever the
 * difference of the log's clock and this one's.
 */
export async function insertPause(manager: EntityManager, tenant: string, paused: DispatchPaused): Promise<void> {
  const { agentId, kind, subject } = paused.scope;
  await manager.query(
    `INSERT INTO duewatch_dispatch.pause (pause_key, tenant_key, agent_key, kind_key, subject_key, from_at, until_at)
     VALUES ($1, $2, $3, $4, $5, coalesce($6::timestamptz, '-infinity'), $7) ON CONFLICT (pause_key) DO NOTHING`,
    [
      ...[pauseKeyOf(tenant, paused.pauseId), tenantKeyOf(tenant)],
      agentId === undefined ? null : agentKeyOf(tenant, agentId),
      kind === undefined ? null : kindKeyOf(tenant, kind),
      subject === undefined ? null : subjectKeyOf(tenant, subject),
      paused.from === undefined ? null : new Date(parseInstant(paused.from)),
      new Date(parseInstant(paused.until)),
    ],
  );
}

/** From here on it is never in force; it stays, so that nobody begins it again. */
export async function endPause(manager: EntityManager, tenant: string, { pauseId }: DispatchResumed): Promise<void> {
  const sql = `UPDATE duewatch_dispatch.pause SET until_at = '-infinity' WHERE pause_key = $1`;
  await manager.query(sql, [pauseKeyOf(tenant, pauseId)]);
}
