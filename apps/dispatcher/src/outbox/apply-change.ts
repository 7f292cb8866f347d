// Writes what the ledger says into the outbox. Each statement may be repeated, and each is right for two readers: the
// dispatcher that caused the event, and one whose tables were lost and that folds the ledger anew. To the latter, what
// was attempted and has no outcome is unknown.
import type { EntityManager } from 'typeorm';
import type { RefusalChange } from '../refusals/refusal-change.ts';
import { kindKeyOf, subjectKeyOf, tenantKeyOf } from './lapse-key.ts';
import type { LedgerChange } from './ledger-change.ts';
import { endPause, insertPause } from './pauses.ts';
import { settledAt, setSettleTime } from './settle-time.ts';

export type Lapsed = Extract<LedgerChange, { readonly type: 'lapsed' }>;

/**
 * Adds what lapsed, in order. One that is there already stays as it is, unless it is closed: then an id that was forgotten
 * has been used again, and its lapse takes the place of one that is not to be sent any more.
 */
export async function insertLapsed(
  manager: EntityManager,
  partition: number,
  lapsed: readonly Lapsed[],
  now: Date,
): Promise<void> {
  if (lapsed.length === 0) return;
  await manager.query(
    `INSERT INTO duewatch_dispatch.outbox
       (lapse_key, agent_key, lapsed, partition, state, attempt, next_at, closed, tenant_key, kind_key, subject_key)
     SELECT lapse_key, agent_key, lapsed, $1, 'pending', 1, next_at, false, tenant_key, kind_key, subject_key
     FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::text[], $8::text[])
       WITH ORDINALITY AS given (lapse_key, agent_key, lapsed, next_at, tenant_key, kind_key, subject_key, place)
     ORDER BY place
     ON CONFLICT (lapse_key) DO UPDATE
     SET seq = excluded.seq, lapsed = excluded.lapsed, state = 'pending', attempt = 1, next_at = excluded.next_at,
       abandoned_attempt = NULL, last_outcome = NULL, closed = false, report = NULL,
       kind_key = excluded.kind_key, subject_key = excluded.subject_key
     WHERE outbox.closed`,
    [
      partition,
      lapsed.map(({ lapseKey }) => lapseKey),
      lapsed.map(({ agentKey }) => agentKey),
      lapsed.map(({ tenant, event }) => JSON.stringify({ tenant, event })),
      await settledAt(manager, lapsed, now),
      lapsed.map(({ tenant }) => tenantKeyOf(tenant)),
      lapsed.map(({ tenant, event }) => kindKeyOf(tenant, event.lapse.kind)),
      lapsed.map(({ tenant, event }) => subjectKeyOf(tenant, event.lapse.subject)),
    ],
  );
}

/** Applies one change that is no new lapse, and of no refusal. */
export async function applyChange(
  manager: EntityManager,
  change: Exclude<LedgerChange, Lapsed | RefusalChange>,
  now: Date,
): Promise<void> {
  switch (change.type) {
    case 'granted':
      // Leave that was not asked for in these tables' time was used, or not, by a dispatcher that is gone. Leave for what
      // may double is asked for before it is due.
      await manager.query(
        `UPDATE duewatch_dispatch.outbox
         SET state = CASE state WHEN 'asked' THEN 'ready' ELSE 'unknown' END, attempt = $2,
           next_at = greatest(next_at, $3), report = NULL
         WHERE lapse_key = $1 AND (state IN ('asked', 'pending') OR (state = 'unknown' AND attempt < $2))`,
        [change.lapseKey, change.attempt, now],
      );
      return;
    case 'acknowledged':
      await manager.query('DELETE FROM duewatch_dispatch.outbox WHERE lapse_key = $1', [change.lapseKey]);
      return;
    case 'failed':
      // Only an outbox folded anew learns something by this.
      await manager.query(
        `UPDATE duewatch_dispatch.outbox
         SET attempt = $2, last_outcome = $3, state = CASE $3 WHEN 'parked' THEN 'parked' ELSE state END
         WHERE lapse_key = $1 AND state = 'unknown' AND attempt <= $2 AND last_outcome IS DISTINCT FROM $3`,
        [change.lapseKey, change.attempt, change.outcome],
      );
      return;
    case 'voided':
      return applyVoid(manager, change.lapseKey, change.attempt);
    case 'declared':
      await manager.query(
        `UPDATE duewatch_dispatch.outbox
         SET state = CASE state WHEN 'parked' THEN 'unknown' ELSE state END, next_at = $2
         WHERE agent_key = $1 AND (state = 'parked' OR (state IN ('ready', 'unknown') AND next_at > $2))`,
        [change.agentKey, now],
      );
      return;
    case 'retried':
      // Looked for first: it may have been parked when nobody could say any more whether it was there. However it ends,
      // the log is told anew; not that it is parked, which would undo this.
      await manager.query(
        `UPDATE duewatch_dispatch.outbox
         SET state = CASE state WHEN 'parked' THEN 'unknown' ELSE state END, last_outcome = NULL, next_at = $2,
           report = CASE state WHEN 'parked' THEN NULL ELSE report END
         WHERE lapse_key = $1 AND (state = 'parked' OR last_outcome = 'parked')`,
        [change.lapseKey, now],
      );
      return;
    case 'discarded':
      return applyVoid(manager, change.lapseKey, 0);
    case 'paused':
      return insertPause(manager, change.tenant, change.event);
    case 'resumed':
      return endPause(manager, change.tenant, change.event);
    case 'settleTimeSet':
      return setSettleTime(manager, change.scopeKey, change.duration);
  }
}

// What may be with the agent stays until that is known; it is then told to the log, or removed, never sent again: also
// what was parked when nobody could say any more, and is looked for since the agent was registered anew. An
// answer (attempt over 0) to an attempt past the unknown one says that the unknown one was not with the agent.
async function applyVoid(manager: EntityManager, lapseKey: string, attempt: number): Promise<void> {
  await manager.query(
    `DELETE FROM duewatch_dispatch.outbox
     WHERE lapse_key = $1 AND state NOT IN ('sending', 'submitted')
       AND (state <> 'unknown' OR coalesce(last_outcome, 'unknown') NOT IN ('unknown', 'parked') OR attempt < $2)`,
    [lapseKey, attempt],
  );
  await manager.query('UPDATE duewatch_dispatch.outbox SET closed = true WHERE lapse_key = $1', [lapseKey]);
}
