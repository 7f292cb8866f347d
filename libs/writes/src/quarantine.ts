// Keeps facts that are too implausible to be told to the log, until an operator releases or discards them.
// It must never lose one that was answered `quarantined`, nor call one discarded that may be in the log.
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type DataSource, type EntityManager, In, LessThan } from 'typeorm';
import { parseInstant } from '#expectations';
import { EDGE_DATABASE, fairTurns, QuarantinedFact, type QuarantineState, TenantTurns } from '#runtime';

/** A fact that nobody believes, with who reported it and why it is not believed. */
export interface ImplausibleFact {
  readonly reporter: string;
  readonly fact: unknown;
  readonly message: string;
}

/** What of one tenant may wait for an operator. */
export interface QuarantineBounds {
  readonly factsCount: number;
  /** Of the facts' JSON. */
  readonly bytes: number;
}

export const QUARANTINE_BOUNDS = Symbol('QuarantineBounds');

export const quarantineBounds: QuarantineBounds = { factsCount: 10_000, bytes: 50_000_000 };

/** Who settles something. */
export interface Settling {
  /** The name of the operator's key. */
  readonly by: string;
  /** For a release: where in the log. */
  readonly position?: string;
  /** For a discarding: why. */
  readonly reason?: string;
}

/** What is not settled yet. */
export const waiting = ['quarantined', 'releasing'] as const satisfies readonly QuarantineState[];

/** By the database's clock; then it is as if the fact had never come. */
const settledMemory = '90 days';
const batchSize = 1_000;

@Injectable()
export class Quarantine {
  /** Who waits for a tenant's lock must not hold connections meanwhile. */
  private readonly turns = new TenantTurns({ running: 1, waiting: 200 });

  constructor(
    @Inject(EDGE_DATABASE) private readonly database: DataSource,
    @Inject(QUARANTINE_BOUNDS) private readonly bounds: QuarantineBounds,
  ) {}

  /** Once for the same fact of the same reporter, however often it comes. Gives back those it has no room for. */
  async keep(tenant: string, facts: readonly ImplausibleFact[]): Promise<ReadonlySet<ImplausibleFact>> {
    if (facts.length === 0) return new Set();
    const wanted: Wanted[] = [];
    for (const fact of facts) {
      wanted.push({ fact, row: { tenant, ...toRow(fact) } });
      if (wanted.length % batchSize === 0) await fairTurns.next(tenant);
    }
    return this.turns.within(tenant, () => this.keepAll(tenant, wanted));
  }

  private keepAll(tenant: string, wanted: readonly Wanted[]): Promise<ReadonlySet<ImplausibleFact>> {
    return this.database.transaction(async (manager) => {
      await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`quarantine ${tenant}`]);
      await manager.query(
        `DELETE FROM duewatch_edge.quarantined_fact WHERE settled_at < now() - interval '${settledMemory}'`,
      );
      const { rows, noRoom } = await this.choose(manager, tenant, wanted);
      for (let start = 0; start < rows.length; start += batchSize) {
        await manager.insert(QuarantinedFact, rows.slice(start, start + batchSize));
      }
      return noRoom;
    });
  }

  /** The latest first; `before` is the `number` of the last one of the page before. */
  list(
    tenant: string,
    { states, before, limit }: { states: readonly QuarantineState[]; before: number | undefined; limit: number },
  ): Promise<QuarantinedFact[]> {
    const place = before === undefined ? {} : { number: LessThan(String(before)) };
    const where = { tenant, state: In([...states]), ...place };
    return this.repository.find({ where, order: { number: 'DESC' }, take: limit });
  }

  async find(tenant: string, id: string): Promise<QuarantinedFact | undefined> {
    const identity = identityOf(id);
    if (identity === undefined) return undefined;
    return (await this.repository.findOneBy({ tenant, identity })) ?? undefined;
  }

  /** To be told before the append: from here on it may be in the log. False where it is settled, or not there. */
  async beginRelease(tenant: string, id: string): Promise<boolean> {
    return this.change(tenant, id, waiting, { state: 'releasing' });
  }

  /** To be told after the append. */
  async endRelease(tenant: string, id: string, { by, position }: Settling): Promise<void> {
    const settled = { settledAt: () => 'now()', settledBy: by, position: position ?? null };
    await this.change(tenant, id, ['releasing'], { state: 'released', ...settled });
  }

  /** False where its release has begun, where it is settled, or not there. */
  async discard(tenant: string, id: string, { by, reason }: Settling): Promise<boolean> {
    const settled = { settledAt: () => 'now()', settledBy: by, discardReason: reason ?? null };
    return this.change(tenant, id, ['quarantined'], { state: 'discarded', ...settled });
  }

  private async change(
    tenant: string,
    id: string,
    from: readonly QuarantineState[],
    to: Parameters<ReturnType<typeof this.database.getRepository<QuarantinedFact>>['update']>[1],
  ): Promise<boolean> {
    const identity = identityOf(id);
    if (identity === undefined) return false;
    const { affected } = await this.repository.update({ tenant, identity, state: In([...from]) }, to);
    return affected === 1;
  }

  /** Of those that are new, as many as there is room for, in their order. */
  private async choose(manager: EntityManager, tenant: string, wanted: readonly Wanted[]) {
    const known = await knownIdentities(
      manager,
      tenant,
      wanted.map(({ row }) => row.identity),
    );
    const held = await holdings(manager, tenant);
    const rows: Wanted['row'][] = [];
    const noRoom = new Set<ImplausibleFact>();
    for (const { fact, row } of wanted) {
      const identity = row.identity.toString('base64url');
      if (known.has(identity)) continue;
      const bytes = Buffer.byteLength(row.fact);
      if (held.count + 1 > this.bounds.factsCount || held.bytes + bytes > this.bounds.bytes) {
        noRoom.add(fact);
        continue;
      }
      known.add(identity);
      rows.push(row);
      held.count += 1;
      held.bytes += bytes;
    }
    return { rows, noRoom };
  }

  private get repository() {
    return this.database.getRepository(QuarantinedFact);
  }
}

interface Wanted {
  readonly fact: ImplausibleFact;
  readonly row: ReturnType<typeof toRow> & { readonly tenant: string };
}

/** The id as clients have it. */
export function quarantineId({ identity }: QuarantinedFact): string {
  return identity.toString('base64url');
}

function identityOf(id: string): Buffer | undefined {
  return /^[\w-]{43}$/.test(id) ? Buffer.from(id, 'base64url') : undefined;
}

async function knownIdentities(manager: EntityManager, tenant: string, identities: Buffer[]): Promise<Set<string>> {
  const rows: { identity: Buffer }[] = await manager.query(
    'SELECT identity FROM duewatch_edge.quarantined_fact WHERE tenant = $1 AND identity = ANY ($2::bytea[])',
    [tenant, identities],
  );
  return new Set(rows.map(({ identity }) => identity.toString('base64url')));
}

async function holdings(manager: EntityManager, tenant: string): Promise<{ count: number; bytes: number }> {
  const [held]: { count: string; bytes: string }[] = await manager.query(
    `SELECT count(*) AS count, coalesce(sum(octet_length(fact)), 0) AS bytes
     FROM duewatch_edge.quarantined_fact WHERE tenant = $1 AND state = ANY ($2)`,
    [tenant, [...waiting]],
  );
  return { count: Number(held?.count), bytes: Number(held?.bytes) };
}

function toRow({ reporter, fact, message }: ImplausibleFact) {
  return {
    identity: createHash('sha256')
      .update(JSON.stringify([reporter, ...sameness(fact)]))
      .digest(),
    reporter: JSON.stringify(reporter),
    fact: JSON.stringify(fact),
    reason: message,
  };
}

/** By what a fact is known again, beside its reporter (semantics, *Facts*): its key, and its instant to the millisecond. */
function sameness(fact: unknown): readonly unknown[] {
  const { factKey, observedAt } = fact as { readonly factKey?: unknown; readonly observedAt?: unknown };
  return [factKey, parseInstant(observedAt)];
}
