// Which tasks are to be followed: those that are not over and on which something still depends. Read a page at a time, by
// tenant: what it costs is what is asked for, whatever was recorded.
import type { DataSource } from 'typeorm';
import { fromStoredText, toStoredText } from './stored-text.ts';

/** A task to follow, and what the record knows of it. */
export interface AwaitedTask {
  readonly taskHash: string;
  /** Of the record that made it awaited; of one that several did, of any of them. */
  readonly ledgerOffset: number;
  readonly agentId: string;
  readonly taskId: string;
  /** As last applied; undefined where no status of it was ever seen. */
  readonly state?: string;
  /** The agent's own instant of that, in epoch milliseconds. */
  readonly statusAtMs?: number;
  /** When it was seen last, by the log, in epoch milliseconds. */
  readonly seenAtMs?: number;
}

interface Found {
  readonly task_hash: string;
  readonly agent_id: string;
  readonly task_id: string;
  readonly ledger_offset: string;
  readonly state: string | null;
  readonly status_at: Date | null;
  readonly applied_at: Date | null;
}

/** Before the first. */
export const FIRST_TASK = '00000000-0000-0000-0000-000000000000';

export class AwaitedTasks {
  constructor(private readonly readModel: DataSource) {}

  /** The tenants that have any, one step of the index each. */
  async tenants(): Promise<readonly string[]> {
    const found: { readonly tenant: string }[] = await this.readModel.query(
      `WITH RECURSIVE step AS (
         (SELECT tenant FROM duewatch_read.awaited_task ORDER BY tenant LIMIT 1)
         UNION ALL
         SELECT (SELECT next.tenant FROM duewatch_read.awaited_task AS next WHERE next.tenant > step.tenant
                   ORDER BY next.tenant LIMIT 1)
           FROM step WHERE step.tenant IS NOT NULL
       ) SELECT tenant FROM step WHERE tenant IS NOT NULL`,
    );
    return found.map(({ tenant }) => fromStoredText(tenant));
  }

  /** The tenant's tasks after `after` (`FIRST_TASK` to begin), in the order of their hashes, at most `limit`. */
  page(tenant: string, after: string, limit: number): Promise<readonly AwaitedTask[]> {
    const each = `SELECT DISTINCT ON (task_hash) task_hash, agent_id, task_id, ledger_offset
      FROM duewatch_read.awaited_task WHERE tenant = $1 AND task_hash > $2 ORDER BY task_hash LIMIT $3`;
    return this.find(each, 'task_hash', [toStoredText(tenant), after, limit]);
  }

  /** Those that came after this place in the ledger, in the order in which they came, at most `limit`; some twice. */
  since(tenant: string, ledgerOffset: number, limit: number): Promise<readonly AwaitedTask[]> {
    const each = `SELECT task_hash, agent_id, task_id, ledger_offset FROM duewatch_read.awaited_task
      WHERE tenant = $1 AND ledger_offset > $2 ORDER BY ledger_offset LIMIT $3`;
    return this.find(each, 'ledger_offset', [toStoredText(tenant), ledgerOffset, limit]);
  }

  /** The place in the ledger of the one that came last; -1 where there is none. */
  async newest(tenant: string): Promise<number> {
    const found: { readonly ledger_offset: string }[] = await this.readModel.query(
      `SELECT ledger_offset FROM duewatch_read.awaited_task WHERE tenant = $1 ORDER BY ledger_offset DESC LIMIT 1`,
      [toStoredText(tenant)],
    );
    return Number(found[0]?.ledger_offset ?? -1);
  }

  private async find(each: string, order: string, parameters: readonly unknown[]): Promise<readonly AwaitedTask[]> {
    const found: Found[] = await this.readModel.query(
      `SELECT awaited.*, task.state, task.status_at, task.applied_at FROM (${each}) AS awaited
         LEFT JOIN LATERAL (SELECT state, status_at, applied_at FROM duewatch_read.task
                 WHERE task.task_hash = awaited.task_hash) AS task ON true
         ORDER BY awaited.${order}`,
      [...parameters],
    );
    return found.map(({ task_hash, agent_id, task_id, ledger_offset, state, status_at, applied_at }) => ({
      taskHash: task_hash,
      ledgerOffset: Number(ledger_offset),
      agentId: fromStoredText(agent_id),
      taskId: fromStoredText(task_id),
      ...(state !== null && { state: fromStoredText(state) }),
      ...(status_at !== null && { statusAtMs: status_at.getTime() }),
      ...(applied_at !== null && { seenAtMs: applied_at.getTime() }),
    }));
  }
}
