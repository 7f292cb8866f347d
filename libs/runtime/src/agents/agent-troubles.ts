// What is wrong with an agent as it is called, for its operator: told by whoever calls it, shown with the agent. Nothing that
// is decided depends on it, and so it is in no log. One row an agent, whatever it does.
import { Inject, Injectable } from '@nestjs/common';
import { Any, type DataSource } from 'typeorm';
import { EDGE_DATABASE } from '../edge-database/edge-database.ts';
import { withStorage } from '../edge-database/storage-fault.ts';
import { identityOf } from './agent-identity.ts';
import { AgentTroubleRow } from './agent-trouble.entity.ts';

/**
 * Why tasks cannot be followed. `unknownTask`: the agent knows no such task; `away`: it does not answer as one answers;
 * `unsupported`: it does not do what is asked; `refused`: it says no for another reason; `credentialUnreadable`: it is
 * not asked, since its credential cannot be unsealed.
 */
export type UnfollowedCause = 'unknownTask' | 'away' | 'unsupported' | 'refused' | 'credentialUnreadable';

/** Tasks of an agent on which something depends, and that cannot be followed. */
export interface Unfollowed {
  readonly count: number;
  /** Of one of them, where they differ. */
  readonly cause: UnfollowedCause;
  readonly message: string;
}

/**
 * Why a running task was not told a reminder. `unsupported`: the agent takes none; `unknownTask`: it knows no such task;
 * `refused`: it says no for another reason; `away`: it did not answer while it was of use; `unregistered`: nobody is
 * there to be called.
 */
export type UntoldCause = 'unsupported' | 'unknownTask' | 'refused' | 'away' | 'unregistered';

/** A reminder that an agent was to be told and was not. */
export interface Untold {
  readonly cause: UntoldCause;
  readonly message: string;
}

/** An interface of an agent. */
export interface CalledInterface {
  /** As the gateway has it. */
  readonly path: string;
  readonly url: string;
}

/** As it is shown; what is not wrong is absent. */
export interface AgentTrouble {
  readonly unfollowed?: Unfollowed & { readonly since: string };
  /** It took a message without saying that the extension is activated (§7). */
  readonly echoMissing?: { readonly lastSeenAt: string; readonly interface: string; readonly url: string };
  /** Reminders of its tasks that it was not told since the last one that it was; why is of the last. */
  readonly untoldReminders?: Untold & { readonly count: number; readonly lastAt: string };
}

const allFollowed = `unfollowed_count = NULL, unfollowed_cause = NULL, unfollowed_message = NULL, unfollowed_since = NULL`;

/** All methods throw `StorageUnavailableError` (retryable) where the database is away. */
@Injectable()
export class AgentTroubles {
  constructor(@Inject(EDGE_DATABASE) private readonly database: DataSource) {}

  /** So many cannot be followed now. Since when stays, where there were some before. */
  async unfollowed(tenant: string, agentId: string, { count, cause, message }: Unfollowed): Promise<void> {
    await this.write(
      `INSERT INTO duewatch_edge.agent_trouble AS known
         (tenant, identity, unfollowed_count, unfollowed_cause, unfollowed_message, unfollowed_since)
       VALUES ($1, $2, $3, $4, $5, now())
       ON CONFLICT (tenant, identity) DO UPDATE SET
         unfollowed_count = excluded.unfollowed_count, unfollowed_cause = excluded.unfollowed_cause,
         unfollowed_message = excluded.unfollowed_message,
         unfollowed_since = coalesce(known.unfollowed_since, excluded.unfollowed_since)`,
      [tenant, identityOf(agentId), count, cause, message],
    );
  }

  /** All of their tasks are followed. */
  async followed(tenant: string, agentIds: readonly string[]): Promise<void> {
    await this.write(
      `UPDATE duewatch_edge.agent_trouble SET ${allFollowed}
       WHERE tenant = $1 AND unfollowed_count IS NOT NULL AND identity = ANY ($2)`,
      [tenant, agentIds.map(identityOf)],
    );
  }

  /** Of no other agents of the tenant is there anything to follow. */
  async followedBut(tenant: string, agentIds: readonly string[]): Promise<void> {
    await this.write(
      `UPDATE duewatch_edge.agent_trouble SET ${allFollowed}
       WHERE tenant = $1 AND unfollowed_count IS NOT NULL AND identity <> ALL ($2)`,
      [tenant, agentIds.map(identityOf)],
    );
  }

  /** Of no other tenants is there anything to follow. */
  async followedButOf(tenants: readonly string[]): Promise<void> {
    await this.write(
      `UPDATE duewatch_edge.agent_trouble SET ${allFollowed} WHERE unfollowed_count IS NOT NULL AND tenant <> ALL ($1)`,
      [tenants],
    );
  }

  /** It did not say there, now, that the extension is activated. */
  async echoMissed(tenant: string, agentId: string, { path, url }: CalledInterface): Promise<void> {
    await this.write(
      `INSERT INTO duewatch_edge.agent_trouble (tenant, identity, echo_missed_at, echo_missed_interface, echo_missed_url)
       VALUES ($1, $2, now(), $3, $4)
       ON CONFLICT (tenant, identity) DO UPDATE SET echo_missed_at = excluded.echo_missed_at,
         echo_missed_interface = excluded.echo_missed_interface, echo_missed_url = excluded.echo_missed_url`,
      [tenant, identityOf(agentId), path, url],
    );
  }

  /** It said so there: what was missed at the same interface is over. */
  async echoed(tenant: string, agentId: string, { path }: CalledInterface): Promise<void> {
    await this.write(
      `UPDATE duewatch_edge.agent_trouble
       SET echo_missed_at = NULL, echo_missed_interface = NULL, echo_missed_url = NULL
       WHERE tenant = $1 AND identity = $2 AND echo_missed_interface = $3`,
      [tenant, identityOf(agentId), path],
    );
  }

  /** It was not told a reminder, now. */
  async reminderUntold(tenant: string, agentId: string, { cause, message }: Untold): Promise<void> {
    await this.write(
      `INSERT INTO duewatch_edge.agent_trouble AS known
         (tenant, identity, untold_count, untold_cause, untold_message, untold_at)
       VALUES ($1, $2, 1, $3, $4, now())
       ON CONFLICT (tenant, identity) DO UPDATE SET untold_count = coalesce(known.untold_count, 0) + 1,
         untold_cause = excluded.untold_cause, untold_message = excluded.untold_message, untold_at = excluded.untold_at`,
      [tenant, identityOf(agentId), cause, message],
    );
  }

  /** It was told one, or is to be told others: what was not told before is over. */
  async reminderTold(tenant: string, agentId: string): Promise<void> {
    await this.write(
      `UPDATE duewatch_edge.agent_trouble
       SET untold_count = NULL, untold_cause = NULL, untold_message = NULL, untold_at = NULL
       WHERE tenant = $1 AND identity = $2 AND untold_count IS NOT NULL`,
      [tenant, identityOf(agentId)],
    );
  }

  /** Each with its `trouble`, where there is some, in the same order. */
  async addTo<Agent extends { readonly agentId: string }>(
    tenant: string,
    agents: readonly Agent[],
  ): Promise<(Agent & { trouble?: AgentTrouble })[]> {
    const identity = Any(agents.map(({ agentId }) => identityOf(agentId)));
    const rows = await withStorage(this.database.getRepository(AgentTroubleRow).findBy({ tenant, identity }));
    const troubles = new Map(rows.map((row) => [row.identity.toString('hex'), troubleOf(row)]));
    return agents.map((agent) => {
      const trouble = troubles.get(identityOf(agent.agentId).toString('hex'));
      return trouble === undefined ? agent : { ...agent, trouble };
    });
  }

  private async write(statement: string, parameters: unknown[]): Promise<void> {
    await withStorage(this.database.query(statement, parameters));
  }
}

function troubleOf(row: AgentTroubleRow): AgentTrouble | undefined {
  const { unfollowedCount: count, unfollowedMessage: message, unfollowedSince: since, echoMissedAt } = row;
  const { untoldCount, untoldMessage, untoldAt } = row;
  const trouble: AgentTrouble = {
    ...(count !== null && {
      unfollowed: {
        count,
        cause: row.unfollowedCause as UnfollowedCause,
        message: message ?? '',
        since: since?.toISOString() ?? '',
      },
    }),
    ...(echoMissedAt !== null && {
      echoMissing: {
        lastSeenAt: echoMissedAt.toISOString(),
        interface: row.echoMissedInterface ?? '',
        url: row.echoMissedUrl ?? '',
      },
    }),
    ...(untoldCount !== null && {
      untoldReminders: {
        count: untoldCount,
        cause: row.untoldCause as UntoldCause,
        message: untoldMessage ?? '',
        lastAt: untoldAt?.toISOString() ?? '',
      },
    }),
  };
  return Object.keys(trouble).length === 0 ? undefined : trouble;
}
