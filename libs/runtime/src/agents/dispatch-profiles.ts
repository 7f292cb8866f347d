// How lapses are sent to each agent: set by hand at its registration, or found by a probe. A setting of sending: nothing
// that is decided depends on it, and so it is in no log.
import { Inject, Injectable } from '@nestjs/common';
import { type DataSource, In } from 'typeorm';
import { EDGE_DATABASE } from '../edge-database/edge-database.ts';
import { withStorage } from '../edge-database/storage-fault.ts';
import { identityOf } from './agent-identity.ts';
import { DispatchProfileRow } from './dispatch-profile.entity.ts';

export const dedupesWords = ['yes', 'no', 'unknown'] as const;

/** Whether a message that comes twice, under one id, is one task of the agent's. */
export type Dedupes = (typeof dedupesWords)[number];

/** What is set by hand. */
export interface DispatchSettings {
  readonly dedupes?: Dedupes;
  /** How many calls it is made in a minute at most; the deployment's rate where it is not given. */
  readonly ratePerMinute?: number;
}

/** What a probe has found. */
export interface DispatchProbe {
  readonly dedupes: Dedupes;
  /** Why it found nothing. */
  readonly cause?: string;
  /** A UTC instant. */
  readonly probedAt: string;
}

export interface DispatchProfile {
  /** As set by hand, else as the last probe found, else unknown. */
  readonly dedupes: Dedupes;
  readonly ratePerMinute?: number;
  readonly probe?: DispatchProbe;
}

type KeptProbe = DispatchProbe & { readonly cardUrl: string };
type AgentName = { readonly agentId: string; readonly cardUrl: string };

/** All methods throw `StorageUnavailableError` (retryable) where the database is away. */
@Injectable()
export class DispatchProfiles {
  constructor(@Inject(EDGE_DATABASE) private readonly database: DataSource) {}

  /** Replaces what was set by hand. */
  async set(tenant: string, agentId: string, { dedupes, ratePerMinute }: DispatchSettings): Promise<void> {
    const row = { ...keyOf(tenant, agentId), dedupes: dedupes ?? null, ratePerMinute: ratePerMinute ?? null };
    await withStorage(this.rows.upsert(row, ['tenant', 'identity']));
  }

  /** Keeps what a probe has found of the agent whose card is there: of another card it says nothing. */
  async keepProbe(tenant: string, { agentId, cardUrl }: AgentName, probe: DispatchProbe): Promise<void> {
    const kept: KeptProbe = { ...probe, cardUrl };
    await withStorage(
      this.rows.upsert({ ...keyOf(tenant, agentId), probe: JSON.stringify(kept) }, ['tenant', 'identity']),
    );
  }

  async find(tenant: string, { agentId, cardUrl }: AgentName): Promise<DispatchProfile> {
    return toProfile(await withStorage(this.rows.findOneBy(keyOf(tenant, agentId))), cardUrl);
  }

  /** Each with its profile as `dispatch`, in the same order. */
  async addTo<Agent>(
    tenant: string,
    agents: readonly (Agent & AgentName)[],
  ): Promise<(Agent & { dispatch: DispatchProfile })[]> {
    const identities = agents.map(({ agentId }) => keyOf(tenant, agentId).identity);
    const rows = await withStorage(this.rows.findBy({ tenant, identity: In(identities) }));
    const byIdentity = new Map(rows.map((row) => [row.identity.toString('hex'), row]));
    return agents.map((agent) => {
      const row = byIdentity.get(keyOf(tenant, agent.agentId).identity.toString('hex'));
      return { ...agent, dispatch: toProfile(row ?? null, agent.cardUrl) };
    });
  }

  private get rows() {
    return this.database.getRepository(DispatchProfileRow);
  }
}

function keyOf(tenant: string, agentId: string): { readonly tenant: string; readonly identity: Buffer } {
  return { tenant, identity: identityOf(agentId) };
}

function toProfile(row: DispatchProfileRow | null, cardUrl: string): DispatchProfile {
  if (row === null) return { dedupes: 'unknown' };
  const probe = row.probe === null ? undefined : probeOf(JSON.parse(row.probe) as KeptProbe, cardUrl);
  const dedupes = (row.dedupes as Dedupes | null) ?? probe?.dedupes ?? 'unknown';
  return {
    dedupes,
    ...(row.ratePerMinute !== null && { ratePerMinute: row.ratePerMinute }),
    ...(probe !== undefined && { probe }),
  };
}

function probeOf({ cardUrl, ...probe }: KeptProbe, present: string): DispatchProbe | undefined {
  return cardUrl === present ? probe : undefined;
}
