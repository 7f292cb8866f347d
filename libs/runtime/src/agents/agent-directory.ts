// The registered agents: written by intake, read by whoever must call an agent.
// It must never show a credential to anything but the caller of an agent.
import { Inject, Injectable } from '@nestjs/common';
import { Any, type DataSource } from 'typeorm';
import type { AgentAuth } from '#protocol';
import type { Clock } from '../clock.ts';
import { Agent } from '../edge-database/agent.entity.ts';
import { EDGE_DATABASE } from '../edge-database/edge-database.ts';
import { withStorage } from '../edge-database/storage-fault.ts';
import { isTenantName } from '../keys/key-request.ts';
import { CLOCK } from '../tokens.ts';
import { registerCard } from './agent-cards.ts';
import { identityOf } from './agent-identity.ts';
import type { CardClaim } from './card-claim.ts';
import { cardView } from './card-view.ts';
import { CREDENTIAL_SEAL, type CredentialSeal } from './credential-seal.ts';

/** What is needed to call an agent. */
export interface AgentAddress {
  readonly cardUrl: string;
  /** The card as it was fetched. */
  readonly card: unknown;
  readonly auth?: AgentAuth;
}

/** What registering an agent keeps. */
export interface Registration {
  readonly tenant: string;
  readonly agentId: string;
  readonly cardUrl: string;
  readonly card: unknown;
  readonly declaration: unknown;
  readonly findings: unknown;
  readonly settings: unknown;
  readonly auth?: AgentAuth;
  /** Against the card that was registered before. */
  readonly changes?: unknown;
  readonly etag?: string;
  /** When the card is to be read again; 15 minutes unless told. */
  readonly periodSeconds?: number;
}

/** A registered agent, and its card's claim until the log has been told what it declares. */
export interface Registered {
  readonly agent: AgentView;
  readonly claim: CardClaim;
}

/** An agent as its tenant may see it. */
export type AgentView = Readonly<Record<string, unknown>> & { readonly agentId: string; readonly cardUrl: string };

/** A part of the list of agents; `next` is where it goes on, where it does. */
export interface AgentsPage {
  readonly agents: readonly AgentView[];
  readonly next?: string;
}

/** What agents say of themselves on one page, about. A card may have a megabyte. */
const pageBytes = 4_000_000;
/** Registered agents remembered. */
const knownCount = 10_000;

@Injectable()
export class AgentDirectory {
  private readonly known = new Set<string>();

  constructor(
    @Inject(EDGE_DATABASE) private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CREDENTIAL_SEAL) private readonly seal: CredentialSeal,
  ) {}

  /** Undefined where the agent is not registered. Throws `SealBrokenError`, and `StorageUnavailableError` (retryable). */
  async find(tenant: string, agentId: string): Promise<AgentAddress | undefined> {
    // A log may hold any tenant; one that no key can have has no agents, and its name no table takes.
    if (!isTenantName(tenant)) return undefined;
    const agent = await withStorage(this.repository.findOneBy({ tenant, identity: identityOf(agentId) }));
    if (agent === null) return undefined;
    const sealed = agent.authSealed;
    const auth = sealed === null ? undefined : (JSON.parse(this.seal.open(sealed, ownerOf(agent))) as AgentAuth);
    return { cardUrl: agent.cardUrl, card: JSON.parse(agent.card) as unknown, ...(auth !== undefined && { auth }) };
  }

  /** Those of the ids that are registered. Every observation asks, and what is registered stays so: it is remembered. */
  async registered(tenant: string, agentIds: readonly string[]): Promise<ReadonlySet<string>> {
    const wanted = new Set(agentIds);
    const unknown = [...wanted].filter((agentId) => !this.known.has(ownerOf({ tenant, agentId })));
    if (unknown.length === 0) return wanted;
    const found = await this.repository.find({
      select: { agentId: true },
      where: { tenant, identity: Any(unknown.map(identityOf)) },
    });
    for (const { agentId } of found) this.remember(ownerOf({ tenant, agentId }));
    const missing = new Set(unknown);
    for (const { agentId } of found) missing.delete(agentId);
    return new Set([...wanted].filter((agentId) => !missing.has(agentId)));
  }

  /** Registers the agent, or replaces all that was kept of it but the versions of its card. */
  async register(registration: Registration): Promise<Registered> {
    const { tenant, agentId, auth } = registration;
    const now = new Date(this.clock.now());
    const identity = identityOf(agentId);
    const known = await this.repository.findOneBy({ tenant, identity });
    const agent = this.repository.create({
      tenant,
      identity,
      agentId,
      cardUrl: registration.cardUrl,
      card: JSON.stringify(registration.card),
      declaration: JSON.stringify(registration.declaration),
      findings: JSON.stringify(registration.findings),
      settings: JSON.stringify(registration.settings),
      authType: auth?.type ?? null,
      authSealed: auth === undefined ? null : this.seal.seal(JSON.stringify(auth), ownerOf(registration)),
      registeredAt: known?.registeredAt ?? now,
      updatedAt: now,
    });
    const claim = await this.database.transaction(async (manager) => {
      // In the order in which whoever reads a card again writes: none waits for another in circles.
      const registered = await registerCard(manager, { tenant, agentId }, { periodSeconds: 900, ...registration });
      await manager.upsert(Agent, agent, ['tenant', 'identity']);
      return registered;
    });
    return { agent: toView(agent), claim };
  }

  async view(tenant: string, agentId: string): Promise<AgentView | undefined> {
    const identity = identityOf(agentId);
    const agent = await this.repository.findOneBy({ tenant, identity });
    return agent === null ? undefined : { ...toView(agent), card: await cardView(this.database, tenant, identity) };
  }

  /** In the order of their ids, after `after`: at most `limit`, fewer where they are large, but never none. */
  async list(tenant: string, after: string, limit: number): Promise<AgentsPage> {
    const sizes = await this.after(tenant, after)
      .select('octet_length(agent.declaration) + octet_length(agent.findings)', 'bytes')
      .limit(limit + 1)
      .getRawMany<{ bytes: number }>();
    const count = Math.min(limit, countWithin(pageBytes, sizes));
    const agents = await this.after(tenant, after).limit(count).getMany();
    const last = agents.at(-1);
    return { agents: agents.map(toView), ...(sizes.length > count && last && { next: last.agentId }) };
  }

  /** Bounded: the one remembered longest goes first. */
  private remember(owner: string): void {
    this.known.add(owner);
    for (const oldest of this.known) {
      if (this.known.size <= knownCount) return;
      this.known.delete(oldest);
    }
  }

  private after(tenant: string, after: string) {
    return this.repository
      .createQueryBuilder('agent')
      .where('agent.tenant = :tenant', { tenant })
      .andWhere('agent.agent_id COLLATE "C" > :after', { after })
      .orderBy('agent.agent_id COLLATE "C"');
  }

  private get repository() {
    return this.database.getRepository(Agent);
  }
}

/** How many of the first come to no more than `bytes` together, at least one. */
function countWithin(bytes: number, sizes: readonly { readonly bytes: number }[]): number {
  let sum = 0;
  const past = sizes.findIndex((size) => (sum += size.bytes) > bytes);
  return past === -1 ? sizes.length : Math.max(1, past);
}

function ownerOf({ tenant, agentId }: { readonly tenant: string; readonly agentId: string }): string {
  return JSON.stringify([tenant, agentId]);
}

function toView(agent: Agent): AgentView {
  return {
    agentId: agent.agentId,
    cardUrl: agent.cardUrl,
    ...(agent.authType !== null && { auth: { type: agent.authType } }),
    declaration: JSON.parse(agent.declaration) as unknown,
    findings: JSON.parse(agent.findings) as unknown,
    settings: JSON.parse(agent.settings) as unknown,
    registeredAt: agent.registeredAt.toISOString(),
    updatedAt: agent.updatedAt.toISOString(),
  };
}
