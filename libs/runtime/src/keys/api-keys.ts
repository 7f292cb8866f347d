// The API keys: made, listed, revoked, and resolved to the caller behind a request.
// It must never keep, log or compare a secret itself.
import { Inject, Injectable, Optional } from '@nestjs/common';
import { type DataSource, IsNull } from 'typeorm';
import { type Caller, scopes, type Scope } from '../caller.ts';
import type { Clock } from '../clock.ts';
import { ApiKey } from '../edge-database/api-key.entity.ts';
import { EDGE_DATABASE } from '../edge-database/edge-database.ts';
import { CLOCK } from '../tokens.ts';
import { TENANT_OPENING, type TenantOpening } from './tenant-opening.ts';
import { hashSecret, makeKeyId, makeSecret } from './secret.ts';

/** What a key may be used for, and by whom. */
export interface KeyGrant {
  readonly tenant: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly sources: readonly string[];
}

export interface MadeKey {
  readonly key: ApiKey;
  /** Shown once. */
  readonly secret: string;
}

interface CacheEntry {
  readonly caller: Promise<Caller | undefined>;
  readonly staleAt: number;
}

/** A revocation elsewhere counts after at most so long. */
const cacheMs = 2_000;
const cacheSize = 10_000;

@Injectable()
export class ApiKeys {
  private readonly cache = new Map<string, CacheEntry>();

  constructor(
    @Inject(EDGE_DATABASE) private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
    @Optional() @Inject(TENANT_OPENING) private readonly opening?: TenantOpening,
  ) {}

  /** A new key; with `secret`, that one (bootstrap). A tenant's first key opens the tenant, before the key is there. */
  async make(grant: KeyGrant, secret = makeSecret()): Promise<MadeKey> {
    if (!(await this.repository.existsBy({ tenant: grant.tenant }))) await this.opening?.open(grant.tenant);
    const key = this.repository.create({
      keyId: makeKeyId(),
      tenant: grant.tenant,
      name: grant.name,
      secretHash: hashSecret(secret),
      scopes: [...grant.scopes],
      sources: [...grant.sources],
      createdAt: new Date(this.clock.now()),
      revokedAt: null,
    });
    await this.repository.insert(key);
    this.cache.clear();
    return { key, secret };
  }

  /** Of one tenant, or of all; in the order they were made. */
  list(tenant?: string): Promise<ApiKey[]> {
    return this.repository.find({
      ...(tenant !== undefined && { where: { tenant } }),
      order: { createdAt: 'ASC', keyId: 'ASC' },
    });
  }

  /** Every tenant that has ever had a key: no other is open. */
  async tenants(): Promise<ReadonlySet<string>> {
    const rows: { tenant: string }[] = await this.database.query('SELECT DISTINCT tenant FROM duewatch_edge.api_key');
    return new Set(rows.map(({ tenant }) => tenant));
  }

  /** False where there is no such key (of that tenant). One already revoked stays as it is. */
  async revoke(keyId: string, tenant?: string): Promise<boolean> {
    const where = { keyId, ...(tenant !== undefined && { tenant }) };
    const { affected } = await this.repository.update(
      { ...where, revokedAt: IsNull() },
      { revokedAt: new Date(this.clock.now()) },
    );
    this.cache.clear();
    return affected === 1 || (await this.repository.existsBy(where));
  }

  /** Asked of the database itself: whoever has been let in once is asked about again. */
  isLive(keyId: string): Promise<boolean> {
    return this.repository.existsBy({ keyId, revokedAt: IsNull() });
  }

  findBySecret(secret: string): Promise<ApiKey | null> {
    return this.repository.findOneBy({ secretHash: hashSecret(secret) });
  }

  /** The caller a secret stands for; undefined where it is unknown or revoked. The hash, not the secret, is looked up. */
  async resolve(secret: string): Promise<Caller | undefined> {
    const hash = hashSecret(secret).toString('base64');
    const cached = this.cache.get(hash);
    const now = this.clock.now();
    if (cached !== undefined && cached.staleAt > now) return cached.caller;
    const entry: CacheEntry = { caller: this.look(secret), staleAt: now + cacheMs };
    this.remember(hash, entry);
    try {
      const caller = await entry.caller;
      if (caller === undefined) this.forget(hash, entry);
      return caller;
    } catch (error) {
      this.forget(hash, entry);
      throw error;
    }
  }

  private async look(secret: string): Promise<Caller | undefined> {
    const key = await this.findBySecret(secret);
    if (key === null || key.revokedAt !== null) return undefined;
    return {
      tenant: key.tenant,
      keyId: key.keyId,
      name: key.name,
      scopes: scopes.filter((scope) => key.scopes.includes(scope)),
      sources: key.sources,
    };
  }

  /** Bounded: the one looked up longest ago goes first. */
  private remember(hash: string, entry: CacheEntry): void {
    this.cache.delete(hash);
    this.cache.set(hash, entry);
    for (const oldest of this.cache.keys()) {
      if (this.cache.size <= cacheSize) return;
      this.cache.delete(oldest);
    }
  }

  private forget(hash: string, entry: CacheEntry): void {
    if (this.cache.get(hash) === entry) this.cache.delete(hash);
  }

  private get repository() {
    return this.database.getRepository(ApiKey);
  }
}
