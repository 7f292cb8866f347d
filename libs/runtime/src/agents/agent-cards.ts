// The versions of agents' cards, and whose turn it is to read one: tables of record that replicas share.
// It must never take a card away because another could not be read, nor let go of a declaration that the log was not told.
//
// Whoever works on a card claims it, for a while and by a revision that rises with each claim; what an earlier one
// still writes finds another revision and changes nothing. A changed declaration is marked untold together with the
// card, and unmarked once it is in the log: after a crash between the two it is told again. Whoever tells the log and
// finds that it was overtaken may have told what is no longer so: the newest is then told again, by whoever is next.
import { Inject, Injectable } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { LessThan } from 'typeorm';
import { AgentCard } from '../edge-database/agent-card.entity.ts';
import { EDGE_DATABASE } from '../edge-database/edge-database.ts';
import { withStorage } from '../edge-database/storage-fault.ts';
import { identityOf } from './agent-identity.ts';
import { storeCard, unlessUntold } from './card-rows.ts';
import { afterSeconds, type CardClaim, claimTime, type ReadCard } from './card-claim.ts';

/** Why a card could not be read. */
export interface CardProblem {
  readonly code: string;
  readonly message: string;
}

/** What is kept of an agent's card now. */
export interface CurrentCard {
  readonly card: unknown;
  readonly declaration: unknown;
}

/** After a first failure, and after many. */
const leastDelaySeconds = 60;
const mostDelaySeconds = 21_600;
/** Of one tenant's cards so many are read at once: its dead agents delay nobody but itself. */
const claimsOfTenant = 2;
const isFree = `next_read_at <= now() AND (claimed_until IS NULL OR claimed_until <= now())`;

/** All methods throw `StorageUnavailableError` (retryable). */
@Injectable()
export class AgentCards {
  constructor(@Inject(EDGE_DATABASE) private readonly database: DataSource) {}

  /**
   * Claims cards that are to be read, at most so many and few of one tenant, of each those that wait longest. The tenants
   * take turns, whatever they have waiting: it goes on after the tenant `after`. `held`: the tenants of what the caller
   * still has claimed, each as often as it has. In the order of the turns.
   */
  async claimDue(
    limit: number,
    { held = [], after = '' }: { readonly held?: readonly string[]; readonly after?: string } = {},
  ): Promise<readonly CardClaim[]> {
    const rows: ClaimRow[] = await withStorage(
      this.database.query(
        `WITH due AS (
           SELECT tenant, identity, row_number() OVER (ORDER BY nth, tenant <= $4, tenant) AS place
           FROM (
             SELECT picked.tenant, picked.identity,
               waiting.held + row_number() OVER (PARTITION BY picked.tenant ORDER BY picked.next_read_at) AS nth
             FROM (
               SELECT tenant, (SELECT count(*) FROM unnest($3::text[]) AS mine WHERE mine = tenant) AS held
               FROM (SELECT DISTINCT tenant FROM duewatch_edge.card_reading WHERE ${isFree}) AS free
             ) AS waiting
             CROSS JOIN LATERAL (
               SELECT tenant, identity, next_read_at FROM duewatch_edge.card_reading AS reading
               WHERE reading.tenant = waiting.tenant AND ${isFree}
               ORDER BY next_read_at LIMIT greatest(0, $1 - waiting.held) FOR UPDATE SKIP LOCKED
             ) AS picked
           ) AS turns
           ORDER BY place LIMIT $2
         ), claimed AS (
           UPDATE duewatch_edge.card_reading AS reading
           SET revision = reading.revision + 1, claimed_until = now() + ${claimTime}
           FROM due, duewatch_edge.agent AS agent
           WHERE reading.tenant = due.tenant AND reading.identity = due.identity
             AND agent.tenant = due.tenant AND agent.identity = due.identity
           RETURNING agent.tenant, agent.agent_id, reading.revision, reading.etag, reading.untold, due.place
         )
         SELECT *, false AS contended FROM claimed ORDER BY place`,
        [claimsOfTenant, limit, held, after],
      ),
    );
    return rows.map(toClaim);
  }

  /** Claims this one, whoever has it; undefined where the agent is not registered. */
  async claim(tenant: string, agentId: string): Promise<CardClaim | undefined> {
    const rows: ClaimRow[] = await withStorage(
      this.database.query(
        `WITH before AS (
           SELECT tenant, identity, coalesce(claimed_until > now(), false) AS contended
           FROM duewatch_edge.card_reading WHERE tenant = $1 AND identity = $2 FOR UPDATE
         ), claimed AS (
           UPDATE duewatch_edge.card_reading AS reading
           SET revision = reading.revision + 1, claimed_until = now() + ${claimTime}
           FROM before WHERE reading.tenant = before.tenant AND reading.identity = before.identity
           RETURNING reading.tenant, $3::text AS agent_id, reading.revision, reading.etag, reading.untold, before.contended
         )
         SELECT * FROM claimed`,
        [tenant, identityOf(agentId), agentId],
      ),
    );
    return rows.map(toClaim)[0];
  }

  async current(tenant: string, agentId: string): Promise<CurrentCard | undefined> {
    const rows: { card: string; declaration: string }[] = await withStorage(
      this.database.query('SELECT card, declaration FROM duewatch_edge.agent WHERE tenant = $1 AND identity = $2', [
        tenant,
        identityOf(agentId),
      ]),
    );
    return rows.map(({ card, declaration }) => ({
      card: JSON.parse(card) as unknown,
      declaration: JSON.parse(declaration) as unknown,
    }))[0];
  }

  /** It is what it was. Next to be read after `periodSeconds`. */
  unchanged(claimed: CardClaim, etag: string | undefined, periodSeconds: number): Promise<boolean> {
    return this.settle(
      claimed,
      `read_at = now(), etag = $4, failures_count = 0, problem = NULL, failed_at = NULL,
       next_read_at = ${unlessUntold('$5')}, claimed_until = NULL`,
      [etag ?? null, periodSeconds],
    );
  }

  /**
   * Could not be read: the card that is known stays. It is tried again later and later. How often it could not be read by
   * now; undefined where the claim was overtaken.
   */
  async failed(claimed: CardClaim, problem: CardProblem): Promise<number | undefined> {
    const later = `least(${mostDelaySeconds}, ${leastDelaySeconds} * power(2, least(failures_count, 10)))`;
    const [row] = await this.settled(
      claimed,
      `failures_count = failures_count + 1, problem = $4, failed_at = now(),
       next_read_at = ${unlessUntold(later)}, claimed_until = NULL`,
      [JSON.stringify(problem)],
    );
    return row?.failures_count;
  }

  /**
   * Keeps a new version. Where `isToTell`, the claim stays until `told`. False where the claim was overtaken: nothing is
   * kept then.
   */
  changed(claimed: CardClaim, read: ReadCard, isToTell: boolean): Promise<boolean> {
    return withStorage(
      this.database.transaction(async (manager) => {
        if (!(await storeCard(manager, claimed, read, isToTell))) return false;
        await manager.query(
          `UPDATE duewatch_edge.agent SET card = $3, declaration = $4, findings = $5, updated_at = now()
           WHERE tenant = $1 AND identity = $2`,
          [...keyOf(claimed), ...[read.card, read.declaration, read.findings].map((value) => JSON.stringify(value))],
        );
        return true;
      }),
    );
  }

  /** What the card declares is in the log. Next to be read after `periodSeconds`. */
  async told(claimed: CardClaim, periodSeconds: number): Promise<void> {
    // Whoever had it before may be telling the log what was so then: a while later it is told again what is so now.
    const next = claimed.isContended
      ? `untold = true, next_read_at = now(), claimed_until = now() + ${claimTime}`
      : `untold = false, next_read_at = ${afterSeconds('$4')}, claimed_until = NULL`;
    const values = claimed.isContended ? [] : [periodSeconds];
    if (await this.settle(claimed, next, values)) return;
    await withStorage(
      this.database.query(
        `UPDATE duewatch_edge.card_reading SET untold = true, next_read_at = now(), revision = revision + 1
         WHERE tenant = $1 AND identity = $2`,
        keyOf(claimed),
      ),
    );
  }

  /** The log takes nothing just now. */
  async postpone(claimed: CardClaim, delaySeconds: number): Promise<void> {
    await this.settle(claimed, `next_read_at = ${afterSeconds('$4')}, claimed_until = NULL`, [delaySeconds]);
  }

  /** The versions of an agent's card, the newest first; `before` is the number of the last one of the page before. */
  list(tenant: string, agentId: string, before: number | undefined, limit: number): Promise<AgentCard[]> {
    const where = { tenant, identity: identityOf(agentId), ...(before !== undefined && { version: LessThan(before) }) };
    const select = { version: true, readAt: true, etag: true, findings: true, changes: true } as const;
    const repository = this.database.getRepository(AgentCard);
    return withStorage(repository.find({ select, where, order: { version: 'DESC' }, take: limit }));
  }

  async version(tenant: string, agentId: string, version: number): Promise<AgentCard | undefined> {
    const where = { tenant, identity: identityOf(agentId), version };
    return (await withStorage(this.database.getRepository(AgentCard).findOneBy(where))) ?? undefined;
  }

  /** False, and nothing is changed, where the claim was overtaken. */
  private async settle(claimed: CardClaim, change: string, values: readonly unknown[]): Promise<boolean> {
    return (await this.settled(claimed, change, values)).length === 1;
  }

  private settled(
    claimed: CardClaim,
    change: string,
    values: readonly unknown[],
  ): Promise<readonly { readonly failures_count: number }[]> {
    return withStorage(
      this.database.query(
        `WITH changed AS (
           UPDATE duewatch_edge.card_reading SET ${change}
           WHERE tenant = $1 AND identity = $2 AND revision = $3 RETURNING failures_count
         )
         SELECT failures_count FROM changed`,
        [...keyOf(claimed), claimed.revision, ...values],
      ),
    );
  }
}

interface ClaimRow {
  readonly tenant: string;
  readonly agent_id: string;
  readonly revision: string;
  readonly etag: string | null;
  readonly untold: boolean;
  readonly contended: boolean;
}

function toClaim({ tenant, agent_id: agentId, revision, etag, untold, contended }: ClaimRow): CardClaim {
  return {
    ...{ tenant, agentId, revision },
    isUntold: untold,
    isContended: contended,
    ...(etag !== null && { etag }),
  };
}

function keyOf({ tenant, agentId }: { readonly tenant: string; readonly agentId: string }): readonly [string, Buffer] {
  return [tenant, identityOf(agentId)];
}

/** For a registration, in its transaction: the card with its version, claimed until the log has been told. */
export async function registerCard(
  manager: EntityManager,
  agent: { readonly tenant: string; readonly agentId: string },
  read: ReadCard,
): Promise<CardClaim> {
  const rows: { revision: string; contended: boolean }[] = await manager.query(
    `INSERT INTO duewatch_edge.card_reading AS reading (tenant, identity, version, revision, claimed_until)
     VALUES ($1, $2, 0, 1, now() + ${claimTime})
     ON CONFLICT (tenant, identity) DO UPDATE SET revision = reading.revision + 1
     RETURNING revision, coalesce(xmax <> 0 AND claimed_until > now(), false) AS contended`,
    [...keyOf(agent)],
  );
  const [row] = rows;
  const claimed: CardClaim = {
    ...agent,
    revision: row?.revision ?? '0',
    isUntold: true,
    isContended: row?.contended === true,
  };
  await storeCard(manager, claimed, read, true);
  return claimed;
}
