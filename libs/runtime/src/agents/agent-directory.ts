// The registered agents: written by intake, read by whoever must call an agent.
// It must never show a credential to anything but the caller of an agent.
import { Inject, Injectable } from '@nestjs/common';
import { Any, type DataSource } from 'typeorm';
import type { Clock } from '../clock.ts';
import { Agent } from '../edge-database/agent.entity.ts';
import { EDGE_DATABASE } from '../edge-database/edge-database.ts';
import { withStorage } from '../edge-database/storage-fault.ts';
import { CLOCK } from '../tokens.ts';
import { CREDENTIAL_SEAL, type CredentialSeal } from './credential-seal.ts';

/** How to authenticate to the agent. */
export type AgentAuth =
  | { readonly type: 'bearer'; readonly token: string }
  | { readonly type: 'header'; readonly name: string; readonly value: string };

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
}

/** An agent as its tenant may see it. */
export type AgentView = Readonly<Record<string, unknown>>;

@Injectable()
export class AgentDirectory {
  constructor(
    @Inject(EDGE_DATABASE) private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CREDENTIAL_SEAL) private readonly seal: CredentialSeal,
  ) {}

  /** Undefined where the agent is not registered. Throws `SealBrokenError`, and `StorageUnavailableError` (retryable). */
  async find(tenant: string, agentId: string): Promise<AgentAddress | undefined> {
    const agent = await withStorage(this.repository.findOneBy({ tenant, agentId }));
    if (agent === null) return undefined;
    const sealed = agent.authSealed;
    const auth = sealed === null ? undefined : (JSON.parse(this.seal.open(sealed, ownerOf(agent))) as AgentAuth);
    return { cardUrl: agent.cardUrl, card: JSON.parse(agent.card) as unknown, ...(auth !== undefined && { auth }) };
  }

  /** Those of the ids that are registered. */
  async registered(tenant: string, agentIds: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await this.repository.find({
      select: { agentId: true },
      where: { tenant, agentId: Any([...new Set(agentIds)]) },
    });
    return new Set(found.map(({ agentId }) => agentId));
  }

  /** Registers the agent, or replaces all that was kept of it. */
  async register(registration: Registration): Promise<AgentView> {
    const { tenant, agentId, auth } = registration;
    const now = new Date(this.clock.now());
    const known = await this.repository.findOneBy({ tenant, agentId });
    const agent = this.repository.create({
      tenant,
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
    await this.repository.upsert(agent, ['tenant', 'agentId']);
    return toView(agent);
  }

  async view(tenant: string, agentId: string): Promise<AgentView | undefined> {
    const agent = await this.repository.findOneBy({ tenant, agentId });
    return agent === null ? undefined : toView(agent);
  }

  /** In the order of their ids, after `after`. */
  async list(tenant: string, after: string, limit: number): Promise<readonly AgentView[]> {
    const query = this.repository.createQueryBuilder('agent').where('agent.tenant = :tenant', { tenant });
    const agents = await query
      .andWhere('agent.agent_id COLLATE "C" > :after', { after })
      .orderBy('agent.agent_id COLLATE "C"')
      .limit(limit)
      .getMany();
    return agents.map(toView);
  }

  private get repository() {
    return this.database.getRepository(Agent);
  }
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
