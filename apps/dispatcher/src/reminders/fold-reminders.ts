// Writes what a run of the ledger means to reminders, in the transaction that moves the partition's position past it.
import type { EntityManager } from 'typeorm';
import { agentKeyOf, kindKeyOf, subjectKeyOf, tenantKeyOf } from '../outbox/lapse-key.ts';
import type { LapsedOrigin, Moved, Opened, ReminderPlan } from './reminder-plan.ts';

/** The row of an open expectation; that of a lapse has the lapse's kind there. */
export const aboutDue = 'due';

export async function foldReminders(
  manager: EntityManager,
  partition: number,
  { closed, overTasks, opened, moved, lapsed }: ReminderPlan,
  now: Date,
): Promise<void> {
  if (closed.length > 0) {
    await manager.query('DELETE FROM duewatch_dispatch.reminder WHERE expectation_key = ANY ($1)', [closed]);
  }
  if (overTasks.length > 0) {
    await manager.query('DELETE FROM duewatch_dispatch.reminder WHERE task_key = ANY ($1)', [overTasks]);
  }
  if (opened.length > 0) await insertOpened(manager, partition, opened, now);
  if (moved.length > 0) await move(manager, moved);
  if (lapsed.length > 0) await insertLapsed(manager, lapsed, now);
}

/** One of an id that was used before takes the place of what is left of that. */
async function insertOpened(
  manager: EntityManager,
  partition: number,
  opened: readonly Opened[],
  now: Date,
): Promise<void> {
  await manager.query(
    `INSERT INTO duewatch_dispatch.reminder AS known (expectation_key, about, partition, tenant_key, agent_key, kind_key,
       subject_key, task_key, told, due_at, projected_due_at, state, next_at)
     SELECT expectation_key, '${aboutDue}', $1, tenant_key, agent_key, kind_key, subject_key, task_key, told, due_at,
       projected_due_at, CASE WHEN tell_at IS NULL THEN 'kept' ELSE 'pending' END, coalesce(tell_at, $2)
     FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::timestamptz[],
         $11::timestamptz[], $12::timestamptz[])
       AS given (expectation_key, tenant_key, agent_key, kind_key, subject_key, task_key, told, due_at, projected_due_at,
         tell_at)
     ON CONFLICT (expectation_key, about) DO UPDATE SET seq = excluded.seq, kind_key = excluded.kind_key, subject_key = excluded.subject_key,
       task_key = excluded.task_key, told = excluded.told, due_at = excluded.due_at,
       projected_due_at = excluded.projected_due_at, state = excluded.state, next_at = excluded.next_at, failures_count = 0`,
    [
      ...[partition, now],
      opened.map(({ expectationKey }) => expectationKey),
      opened.map(({ tenant }) => tenantKeyOf(tenant)),
      opened.map(({ tenant, expectation }) => agentKeyOf(tenant, expectation.agentId)),
      opened.map(({ tenant, kind }) => kindKeyOf(tenant, kind)),
      opened.map(({ tenant, subject }) => subjectKeyOf(tenant, subject)),
      opened.map(({ taskKey }) => taskKey),
      opened.map(({ tenant, expectation }) => JSON.stringify({ tenant, expectation })),
      opened.map(({ dueAtMs }) => new Date(dueAtMs)),
      opened.map(({ projectedDueAtMs }) => new Date(projectedDueAtMs)),
      opened.map(({ tellAtMs }) => (tellAtMs === undefined ? null : new Date(tellAtMs))),
    ],
  );
}

/** What is due by then already is not told: it lapses, or came. */
async function move(manager: EntityManager, moved: readonly Moved[]): Promise<void> {
  await manager.query(
    `UPDATE duewatch_dispatch.reminder AS known SET due_at = new_due_at, failures_count = 0,
       state = CASE WHEN lead_ms IS NULL OR new_due_at <= moved_at THEN 'kept' ELSE 'pending' END,
       next_at = CASE WHEN lead_ms IS NULL THEN known.next_at ELSE new_due_at - lead_ms * interval '1 ms' END
     FROM (SELECT own.expectation_key, coalesce(given.due_at, own.projected_due_at) AS new_due_at, lead_ms, moved_at
           FROM unnest($1::text[], $2::timestamptz[], $3::float8[], $4::timestamptz[])
             AS given (expectation_key, due_at, lead_ms, moved_at)
           JOIN duewatch_dispatch.reminder AS own ON own.expectation_key = given.expectation_key
             AND own.about = '${aboutDue}') AS moving
     WHERE known.expectation_key = moving.expectation_key AND known.about = '${aboutDue}'`,
    [
      moved.map(({ expectationKey }) => expectationKey),
      moved.map(({ dueAtMs }) => (dueAtMs === undefined ? null : new Date(dueAtMs))),
      moved.map(({ beforeDueMs }) => beforeDueMs ?? null),
      moved.map(({ atMs }) => new Date(atMs)),
    ],
  );
}

/** A lapse is told where the expectation still has its row. Overdue or skipped, it is not told to be due soon any more. */
async function insertLapsed(manager: EntityManager, lapsed: readonly LapsedOrigin[], now: Date): Promise<void> {
  const told = lapsed.filter(({ isTold }) => isTold);
  await manager.query(
    `INSERT INTO duewatch_dispatch.reminder (expectation_key, about, partition, tenant_key, agent_key, kind_key, subject_key,
       task_key, told, lapse, due_at, projected_due_at, state, next_at)
     SELECT own.expectation_key, given.about, own.partition, tenant_key, agent_key, kind_key, subject_key, task_key, told,
       given.lapse, due_at, projected_due_at, 'pending', $1
     FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS given (expectation_key, about, lapse, place)
     JOIN duewatch_dispatch.reminder AS own ON own.expectation_key = given.expectation_key AND own.about = '${aboutDue}'
     ORDER BY place
     ON CONFLICT (expectation_key, about) DO NOTHING`,
    [
      now,
      told.map(({ expectationKey }) => expectationKey),
      told.map(({ lapse }) => lapse.lapse),
      told.map(({ lapse }) => JSON.stringify(lapse)),
    ],
  );
  const past = lapsed.filter(({ lapse }) => lapse.lapse !== 'stalled').map(({ expectationKey }) => expectationKey);
  await manager.query(
    `UPDATE duewatch_dispatch.reminder SET state = 'kept' WHERE expectation_key = ANY ($1) AND about = '${aboutDue}'`,
    [past],
  );
}
