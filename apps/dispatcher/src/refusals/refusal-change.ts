// What the ledger says of refusals, into rows. Each statement may be repeated: tables that were lost are folded anew.
import type { EntityManager } from 'typeorm';
import type { RefusalPlace, RefusalTellingEnded } from '#event-log';
import { type ExpectationRefused, parseInstant } from '#expectations';
import { agentKeyOf, contextKeyOf, dayKeyOf, taskKeyOf, tenantKeyOf } from '../outbox/lapse-key.ts';

export type RefusalChange =
  | {
      readonly type: 'refused';
      readonly tenant: string;
      readonly event: ExpectationRefused;
      readonly place: RefusalPlace;
    }
  | { readonly type: 'refusalTellingEnded'; readonly tenant: string; readonly event: RefusalTellingEnded };

/** In one context an agent is told so often, and no more: what it makes of it may be refused too. */
export const tellingsOfContext = 5;
/** And in a day, in all contexts together: there is no end of contexts. */
export const tellingsOfDay = 100;
/** What was refused so long ago is no news. */
export const mostAgeMs = 86_400_000;
/** What is refused within so long is told together. */
const gatheringMs = 500;
/** What waits for one agent beyond that is listed, and not told. */
const mostOfAgent = 1_000;
/** A context in which nothing was told for so long is as one in which nothing ever was. */
const contextMemoryMs = 7 * 86_400_000;

export function isOfRefusals(change: { readonly type: string }): change is RefusalChange {
  return change.type === 'refused' || change.type === 'refusalTellingEnded';
}

/** Within the transaction that moves the partition's position. A telling stands behind what it tells of. */
export async function foldRefusals(
  manager: EntityManager,
  partition: number,
  changes: readonly RefusalChange[],
  now: Date,
): Promise<void> {
  await insertRefused(manager, partition, changes, now);
  for (const change of changes) {
    if (change.type === 'refusalTellingEnded') await end(manager, partition, change, now);
  }
}

async function insertRefused(
  manager: EntityManager,
  partition: number,
  changes: readonly RefusalChange[],
  now: Date,
): Promise<void> {
  const fresh = changes.flatMap((change) => (change.type === 'refused' && isFresh(change.event, now) ? change : []));
  if (fresh.length === 0) return;
  await manager.query(
    `INSERT INTO duewatch_dispatch.refusal
       (partition, ledger_offset, event_index, tenant_key, agent_key, context_key, refused, made_at, next_at)
     SELECT $1, ledger_offset, event_index, tenant_key, agent_key, context_key, refused, made_at, $2
     FROM (SELECT given.*, row_number() OVER (PARTITION BY agent_key ORDER BY nth) AS nth_of_agent
           FROM unnest($3::bigint[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[])
             WITH ORDINALITY AS given (ledger_offset, event_index, tenant_key, agent_key, context_key, refused, made_at, nth)
          ) AS numbered
     JOIN (SELECT agent_key, (SELECT count(*) FROM (SELECT FROM duewatch_dispatch.refusal AS before
             WHERE before.agent_key = agent.agent_key LIMIT ${mostOfAgent}) AS counted) AS count
           FROM (SELECT DISTINCT unnest($6::text[]) AS agent_key) AS agent) AS waiting USING (agent_key)
     WHERE waiting.count + nth_of_agent <= ${mostOfAgent}
     ORDER BY nth
     ON CONFLICT (partition, ledger_offset, event_index) DO NOTHING`,
    [
      ...[partition, new Date(now.getTime() + gatheringMs)],
      ...[fresh.map(({ place }) => place.ledgerOffset), fresh.map(({ place }) => place.eventIndex)],
      ...[
        fresh.map(({ tenant }) => tenantKeyOf(tenant)),
        fresh.map(({ tenant, event }) => agentKeyOf(tenant, event.agentId)),
      ],
      fresh.map(({ tenant, event }) => contextKeyOf(tenant, event.agentId, event.contextId)),
      fresh.map(({ tenant, event }) => JSON.stringify({ tenant, event })),
      fresh.map(({ event }) => event.at),
    ],
  );
}

function isFresh({ at, contextId, reported }: ExpectationRefused, now: Date): boolean {
  // A ledger from before there was a context in it gives nowhere to tell it.
  const isTellable = reported && typeof contextId === 'string' && contextId !== '';
  return isTellable && parseInstant(at) >= now.getTime() - mostAgeMs;
}

async function end(
  manager: EntityManager,
  partition: number,
  { tenant, event }: Extract<RefusalChange, { readonly type: 'refusalTellingEnded' }>,
  now: Date,
): Promise<void> {
  const [ended] = await manager.query<[unknown[], number]>(
    `DELETE FROM duewatch_dispatch.refusal AS told USING unnest($2::bigint[], $3::int[]) AS place (ledger_offset, event_index)
     WHERE told.partition = $1 AND told.ledger_offset = place.ledger_offset AND told.event_index = place.event_index
     RETURNING told.seq`,
    [
      partition,
      event.refusals.map(({ ledgerOffset }) => ledgerOffset),
      event.refusals.map(({ eventIndex }) => eventIndex),
    ],
  );
  if (ended.length === 0 || event.outcome === 'dropped') return;
  // Whose task it is that may have been made of it nobody knows: no more is told there.
  const count = event.outcome === 'unknown' ? tellingsOfContext : 1;
  const taskKeys = event.taskId === undefined ? [] : [taskKeyOf(tenant, event.agentId, event.taskId)];
  const { agentId, contextId } = event;
  const keys = [contextKeyOf(tenant, agentId, contextId), dayKeyOf(tenant, agentId, now), ...taskKeys];
  await manager.query(
    `INSERT INTO duewatch_dispatch.told_context AS known (context_key, told_count, told_at)
     SELECT key, CASE place WHEN 1 THEN $2::int WHEN 2 THEN 1 ELSE 0 END, $3
     FROM unnest($1::text[]) WITH ORDINALITY AS told (key, place)
     ON CONFLICT (context_key) DO UPDATE
     SET told_count = known.told_count + excluded.told_count, told_at = excluded.told_at`,
    [keys, count, now],
  );
  await manager.query('DELETE FROM duewatch_dispatch.told_context WHERE told_at < $1', [
    new Date(now.getTime() - contextMemoryMs),
  ]);
}
