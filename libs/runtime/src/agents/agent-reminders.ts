// What an agent is reminded of in its own running tasks, as it was set with its registration. A setting of telling: nothing
// that is decided depends on it, and so it is in no log.
import { Inject, Injectable } from '@nestjs/common';
import { Any, type DataSource } from 'typeorm';
import { parseDuration } from '#expectations';
import { EDGE_DATABASE } from '../edge-database/edge-database.ts';
import { withStorage } from '../edge-database/storage-fault.ts';
import { isTenantName } from '../keys/key-request.ts';
import { identityOf } from './agent-identity.ts';
import { AgentRemindersRow } from './agent-reminders.entity.ts';

/** How long before its `dueAt` an agent is told of an expectation, where it does not say. */
export const defaultBeforeDue = 'PT1H';

/** What is set by hand; of what is absent, or false, nothing is told. */
export interface ReminderSettings {
  /** An ISO 8601 duration of days and shorter. */
  readonly beforeDue?: string;
  readonly lapsed?: boolean;
}

/** What an agent is told of. */
export interface ReminderWish {
  /** Undefined where it is not told that something is due soon. */
  readonly beforeDueMs: number | undefined;
  readonly lapsed: boolean;
}

export interface AgentOfTenant {
  readonly tenant: string;
  readonly agentId: string;
}

/** All methods throw `StorageUnavailableError` (retryable) where the database is away. */
@Injectable()
export class AgentReminders {
  constructor(@Inject(EDGE_DATABASE) private readonly database: DataSource) {}

  /** Replaces what was set. An agent for which nothing ever was has no row; one for which it was turned off keeps it. */
  async set(tenant: string, agentId: string, settings: ReminderSettings | undefined): Promise<void> {
    const { beforeDue = null, lapsed = false } = settings ?? {};
    const key = { tenant, identity: identityOf(agentId) };
    const row = { agentId, beforeDue, lapsed };
    const write =
      settings === undefined ? this.rows.update(key, row) : this.rows.upsert({ ...key, ...row }, [...names]);
    await withStorage<unknown>(write);
  }

  /** Those of the agents for which something was ever set. */
  async of(every: readonly AgentOfTenant[]): Promise<readonly (AgentOfTenant & ReminderWish)[]> {
    // A log may hold any tenant; one that no key can have has no agents, and its name no table takes.
    const agents = every.filter(({ tenant }) => isTenantName(tenant));
    if (agents.length === 0) return [];
    const found = await withStorage<AgentRemindersRow[]>(
      this.rows
        .createQueryBuilder('row')
        .where(`(row.tenant, row.identity) IN (SELECT * FROM unnest(:tenants::text[], :identities::bytea[]))`, {
          tenants: agents.map(({ tenant }) => tenant),
          identities: agents.map(({ agentId }) => identityOf(agentId)),
        })
        .getMany(),
    );
    return found.map((row) => ({ tenant: row.tenant, agentId: row.agentId, ...wishOf(row) }));
  }

  /** Undefined where nothing was ever set. */
  async find(tenant: string, agentId: string): Promise<ReminderWish | undefined> {
    if (!isTenantName(tenant)) return undefined;
    const row = await withStorage(this.rows.findOneBy({ tenant, identity: identityOf(agentId) }));
    return row === null ? undefined : wishOf(row);
  }

  /** Each with what it is reminded of as `reminders`, where that is anything, in the same order. */
  async addTo<Agent extends { readonly agentId: string }>(
    tenant: string,
    agents: readonly Agent[],
  ): Promise<(Agent & { reminders?: ReminderSettings })[]> {
    const identity = Any(agents.map(({ agentId }) => identityOf(agentId)));
    const rows = await withStorage(this.rows.findBy({ tenant, identity }));
    const settings = new Map(rows.map((row) => [row.agentId, settingsOf(row)]));
    return agents.map((agent) => {
      const reminders = settings.get(agent.agentId);
      return reminders === undefined ? agent : { ...agent, reminders };
    });
  }

  private get rows() {
    return this.database.getRepository(AgentRemindersRow);
  }
}

const names = ['tenant', 'identity'] as const;

function wishOf({ beforeDue, lapsed }: AgentRemindersRow): ReminderWish {
  return { beforeDueMs: beforeDue === null ? undefined : parseDuration(beforeDue)?.ms, lapsed };
}

function settingsOf({ beforeDue, lapsed }: AgentRemindersRow): ReminderSettings | undefined {
  if (beforeDue === null && !lapsed) return undefined;
  return { ...(beforeDue !== null && { beforeDue }), ...(lapsed && { lapsed }) };
}
