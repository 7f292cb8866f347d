// The sinks of each tenant, where its people are told of lapses: set over the intake, read by whoever sends to them,
// who notes here what they do not take.
// It must never show an address or a secret to anything but the sender.
import { Inject, Injectable } from '@nestjs/common';
import { type DataSource, In } from 'typeorm';
import type { LapseKind } from '#expectations';
import { CREDENTIAL_SEAL, type CredentialSeal } from '../agents/credential-seal.ts';
import type { Clock } from '../clock.ts';
import { EDGE_DATABASE } from '../edge-database/edge-database.ts';
import { Sink } from '../edge-database/sink.entity.ts';
import { withStorage } from '../edge-database/storage-fault.ts';
import { CLOCK } from '../tokens.ts';

export const sinkTypes = ['alertmanager', 'slack', 'cloudevents'] as const;

export type SinkType = (typeof sinkTypes)[number];

/** The sinks that one tenant may have. */
export const sinksOfTenant = 20;

/** Which lapses a sink is told of; of what is absent, all. */
export interface SinkRule {
  readonly lapses?: readonly LapseKind[];
  readonly agentId?: string;
  readonly kind?: string;
  /** For how long lapses of one agent and kind are gathered from the first on. */
  readonly groupBySeconds: number;
}

/** What is needed to send to a sink. */
export interface SinkAddress {
  readonly type: SinkType;
  readonly url: string;
  /** A header that lets the sender in. */
  readonly header?: { readonly name: string; readonly value: string };
  /** `whsec_` and base64 (Standard Webhooks): what is sent is signed with it. */
  readonly secret?: string;
}

/** A sink that is told of lapses, without its address. */
export interface KnownSink {
  readonly tenant: string;
  readonly sinkId: string;
  readonly type: SinkType;
  readonly rule: SinkRule;
  readonly madeAt: Date;
}

/** A notification that a sink has not taken. */
export interface SinkFailure {
  /** Without the sink's address: that may be a secret. */
  readonly cause: string;
  readonly at: Date;
  /** It will not be sent again. */
  readonly isGivenUp: boolean;
}

/** A sink as its tenant may see it. */
export interface SinkView extends SinkRule {
  readonly sinkId: string;
  readonly type: SinkType;
  readonly origin: string;
  readonly isSigned: boolean;
  readonly madeAt: string;
  readonly updatedAt: string;
  /** How many notifications it was not told in the end, since `updatedAt`. */
  readonly givenUpCount: number;
  /** The last one that it did not take, since `updatedAt`; absent where it has taken all. */
  readonly lastFailure?: { readonly at: string; readonly cause: string };
}

const causeCharacters = 500;

/** All methods throw `StorageUnavailableError` (retryable). */
@Injectable()
export class SinkDirectory {
  constructor(
    @Inject(EDGE_DATABASE) private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CREDENTIAL_SEAL) private readonly seal: CredentialSeal,
  ) {}

  /** Sets the sink, or replaces all that was kept of it. Undefined, and nothing is kept, where the tenant has too many. */
  async set(tenant: string, sinkId: string, address: SinkAddress, rule: SinkRule): Promise<SinkView | undefined> {
    const now = new Date(this.clock.now());
    const kept = {
      ...{ tenant, sinkId, type: address.type, origin: new URL(address.url).origin, rule: JSON.stringify(rule) },
      isSigned: address.secret !== undefined,
      addressSealed: this.seal.seal(JSON.stringify(address), ownerOf(tenant, sinkId)),
    };
    return withStorage(
      this.database.transaction(async (manager) => {
        // One at a time of a tenant: two at once would each see room for itself.
        await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('duewatch-sink ' || $1, 0))`, [tenant]);
        const before = await manager.findOneBy(Sink, { tenant, sinkId });
        if (before === null && (await manager.countBy(Sink, { tenant })) >= sinksOfTenant) return undefined;
        const standing = { givenUpCount: 0, lastFailedAt: null, lastCause: null };
        const sink = manager.create(Sink, { ...kept, ...standing, madeAt: before?.madeAt ?? now, updatedAt: now });
        await manager.upsert(Sink, sink, ['tenant', 'sinkId']);
        return toView(sink);
      }),
    );
  }

  /** All of the tenant's, in the order of their ids. */
  async list(tenant: string): Promise<readonly SinkView[]> {
    const sinks = await withStorage(this.repository.findBy({ tenant }));
    return sinks.map(toView).sort((one, other) => (one.sinkId < other.sinkId ? -1 : 1));
  }

  /** False where there is none of this id. What waits for it is never sent. */
  async remove(tenant: string, sinkId: string): Promise<boolean> {
    const { affected } = await withStorage(this.repository.delete({ tenant, sinkId }));
    return affected === 1;
  }

  /** Keeps how it stands with a sink, until it is set anew; of one that is gone, nothing. */
  async noteFailure(tenant: string, sinkId: string, { cause, at, isGivenUp }: SinkFailure): Promise<void> {
    const noted = { lastFailedAt: at, lastCause: cause.slice(0, causeCharacters) };
    const counted = isGivenUp ? { ...noted, givenUpCount: () => 'given_up_count + 1' } : noted;
    await withStorage(this.repository.update({ tenant, sinkId }, counted));
  }

  /** All sinks of these tenants. */
  async of(tenants: readonly string[]): Promise<readonly KnownSink[]> {
    const select = { tenant: true, sinkId: true, type: true, rule: true, madeAt: true } as const;
    const sinks = await withStorage(this.repository.find({ select, where: { tenant: In([...tenants]) } }));
    return sinks.map(({ tenant, sinkId, type, rule, madeAt }) => ({
      ...{ tenant, sinkId, type: type as SinkType, madeAt },
      rule: JSON.parse(rule) as SinkRule,
    }));
  }

  /** Undefined where there is none of this id. Throws `SealBrokenError`. */
  async find(tenant: string, sinkId: string): Promise<SinkAddress | undefined> {
    const sink = await withStorage(this.repository.findOneBy({ tenant, sinkId }));
    if (sink === null) return undefined;
    return JSON.parse(this.seal.open(sink.addressSealed, ownerOf(tenant, sinkId))) as SinkAddress;
  }

  private get repository() {
    return this.database.getRepository(Sink);
  }
}

/** Never that of an agent, whose list is of two. */
function ownerOf(tenant: string, sinkId: string): string {
  return JSON.stringify([tenant, 'sink', sinkId]);
}

function toView(sink: Sink): SinkView {
  const { sinkId, type, origin, rule, isSigned, madeAt, updatedAt, givenUpCount, lastFailedAt, lastCause } = sink;
  return {
    ...{ sinkId, type: type as SinkType, origin },
    ...(JSON.parse(rule) as SinkRule),
    ...{ isSigned, madeAt: madeAt.toISOString(), updatedAt: updatedAt.toISOString(), givenUpCount },
    ...(lastFailedAt !== null && { lastFailure: { at: lastFailedAt.toISOString(), cause: lastCause ?? '' } }),
  };
}
