// A partition's refusals as rows: claimed before bytes leave, ended once it is known how that went, gone once the ledger
// says so. Who owns the partition's outbox owns them; nobody else may change one.
import type { DataSource, EntityManager } from 'typeorm';
import type { RefusalTellingReported } from '#event-log';
import type { ExpectationRefused } from '#expectations';
import { dayKeyOf, taskKeyOf, tenantKeyOf } from '../outbox/lapse-key.ts';
import type { PartitionOwnership } from '../outbox/partition-ownership.ts';
import { isNotHeld } from '../outbox/pauses.ts';
import { tellingsOfContext, tellingsOfDay } from './refusal-change.ts';

/** Refusals of one context, to be told in one message, the oldest first; at least one. */
export interface RefusalGroup {
  readonly tenant: string;
  readonly agentId: string;
  readonly contextId: string;
  readonly events: readonly ExpectationRefused[];
  readonly seqs: readonly string[];
  readonly places: RefusalTellingReported['refusals'];
  /** Of the first of them. */
  readonly madeAt: Date;
  /** How often it was tried in vain. */
  readonly failuresCount: number;
}

export interface DueAgent {
  readonly agentKey: string;
  readonly tenant: string;
  readonly agentId: string;
}

/** What the log is still to be told. */
export interface TellingReport {
  readonly seq: string;
  readonly tenant: string;
  readonly text: string;
}

interface Found {
  readonly seq: string;
  readonly ledger_offset: string;
  readonly event_index: number;
  readonly refused: string;
  readonly made_at: Date;
  readonly failures_count: number;
}

type Ended = Pick<RefusalTellingReported, 'outcome' | 'cause' | 'taskId'>;

const ofMessage = 20;
const agentsAtOnce = 200;

/** Pending rows of which none is under a pause, and of whose agent nothing else is under way. */
const isToTell = `state = 'pending' AND ${isNotHeld('refusal', '$2::timestamptz')} AND agent_key NOT IN (
  SELECT other.agent_key FROM duewatch_dispatch.refusal AS other WHERE other.partition = $1 AND other.state <> 'pending')`;

/** Every method that writes throws `OutboxFencedError` where the partition is another's by now; all throw the driver's. */
export class RefusalRows {
  constructor(
    private readonly database: DataSource,
    private readonly partition: number,
    private readonly ownership: PartitionOwnership,
  ) {}

  /** What an earlier dispatcher was telling may have been told, and is not told again. */
  async recover(): Promise<void> {
    await this.owned(async (manager) => {
      const found = await manager.query<Found[]>(
        `SELECT seq, ledger_offset, event_index, refused, made_at, failures_count FROM duewatch_dispatch.refusal
         WHERE partition = $1 AND state = 'sending' ORDER BY seq`,
        [this.partition],
      );
      for (const row of found) {
        const group = toGroup([row]);
        await endRows(manager, group, { outcome: 'unknown', cause: 'the dispatcher that was telling it has ended' });
      }
    });
  }

  /** The agents of which something is due, those aside that are busy, or of tenants that have enough under way. */
  async due(now: Date, busyAgents: readonly string[], busyTenants: readonly string[]): Promise<readonly DueAgent[]> {
    const found = await this.database.query<{ agent_key: string; refused: string }[]>(
      `SELECT DISTINCT ON (agent_key) agent_key, refused FROM duewatch_dispatch.refusal
       WHERE partition = $1 AND next_at <= $2 AND NOT (agent_key = ANY ($3)) AND NOT (tenant_key = ANY ($4))
         AND ${isToTell}
       ORDER BY agent_key, seq LIMIT ${agentsAtOnce}`,
      [this.partition, now, busyAgents, busyTenants.map(tenantKeyOf)],
    );
    return found.map(({ agent_key: agentKey, refused }) => {
      const { tenant, event } = toRefused(refused);
      return { agentKey, tenant, agentId: event.agentId };
    });
  }

  /** When the next is due that is not yet. */
  async nextDueAt(now: Date): Promise<Date | undefined> {
    const [first] = await this.database.query<{ at: Date | null }[]>(
      `SELECT min(next_at) AS at FROM duewatch_dispatch.refusal
       WHERE partition = $1 AND next_at > $2 AND ${isToTell}`,
      [this.partition, now],
    );
    return first?.at ?? undefined;
  }

  /**
   * Before bytes leave: the agent's oldest, with what else is due in its context. Undefined where there is none any
   * more, or none that may be told: of a context or in a day that has heard enough, or of a task that the agent has made of it.
   */
  async claim(agentKey: string, now: Date): Promise<RefusalGroup | undefined> {
    return this.owned(async (manager) => {
      const found = await manager.query<(Found & { readonly context_key: string })[]>(
        `SELECT seq, context_key, ledger_offset, event_index, refused, made_at, failures_count
         FROM duewatch_dispatch.refusal
         WHERE partition = $1 AND agent_key = $3 AND next_at <= $2 AND ${isToTell} AND context_key = (
           SELECT context_key FROM duewatch_dispatch.refusal
           WHERE partition = $1 AND agent_key = $3 AND next_at <= $2 AND state = 'pending' ORDER BY seq LIMIT 1)
         ORDER BY seq LIMIT ${ofMessage} FOR UPDATE`,
        [this.partition, now, agentKey],
      );
      if (found.length === 0) return undefined;
      const group = toGroup(found);
      const contextKey = found[0]?.context_key ?? '';
      const dayKey = dayKeyOf(group.tenant, group.agentId, now);
      const known = await manager.query<{ key: string; told_count: number }[]>(
        'SELECT context_key AS key, told_count FROM duewatch_dispatch.told_context WHERE context_key = ANY ($1)',
        [[contextKey, dayKey, ...found.map(taskKeyOfRow)]],
      );
      const told = new Map(known.map(({ key, told_count: count }) => [key, count]));
      const enough =
        ((told.get(contextKey) ?? 0) >= tellingsOfContext && 'its context was told enough') ||
        ((told.get(dayKey) ?? 0) >= tellingsOfDay && 'its agent was told enough today');
      const untold = found.filter((row) => enough !== false || told.has(taskKeyOfRow(row)));
      if (untold.length > 0) {
        const cause = enough === false ? 'it was raised in answer to being told of another' : enough;
        await endRows(manager, toGroup(untold), { outcome: 'dropped', cause });
        // The others come once the ledger says that these are dropped.
        return undefined;
      }
      await manager.query(`UPDATE duewatch_dispatch.refusal SET state = 'sending' WHERE seq = ANY ($1)`, [group.seqs]);
      return group;
    });
  }

  /** It is known how it went. */
  async end(group: RefusalGroup, ended: Ended): Promise<void> {
    await this.owned((manager) => endRows(manager, group, ended));
  }

  /** It was certainly not told, and may be later. */
  async postpone({ seqs }: RefusalGroup, nextAt: Date): Promise<void> {
    await this.owned((manager) =>
      manager.query(
        `UPDATE duewatch_dispatch.refusal SET state = 'pending', failures_count = failures_count + 1, next_at = $2
         WHERE seq = ANY ($1)`,
        [seqs, nextAt],
      ),
    );
  }

  /** What the log is still to be told, the oldest first. */
  async reports(limit: number): Promise<readonly TellingReport[]> {
    const found = await this.database.query<{ seq: string; refused: string; report: string }[]>(
      `SELECT seq, refused, report FROM duewatch_dispatch.refusal
       WHERE partition = $1 AND state = 'ended' AND report IS NOT NULL ORDER BY seq LIMIT $2`,
      [this.partition, limit],
    );
    return found.map(({ seq, refused, report }) => ({
      ...{ seq, text: report },
      tenant: toRefused(refused).tenant,
    }));
  }

  /** The log has it. */
  async told(reports: readonly TellingReport[]): Promise<void> {
    await this.owned((manager) =>
      manager.query('UPDATE duewatch_dispatch.refusal SET report = NULL WHERE seq = ANY ($1)', [
        reports.map(({ seq }) => seq),
      ]),
    );
  }

  private owned<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.database.transaction(async (manager) => {
      await this.ownership.assertOwned(manager);
      return work(manager);
    });
  }
}

/** One report for all of them stands with the first. */
async function endRows(manager: EntityManager, group: RefusalGroup, ended: Ended): Promise<void> {
  const { agentId, contextId, places, seqs } = group;
  const report: RefusalTellingReported = {
    ...{ type: 'refusalTellingReported', agentId, contextId },
    ...ended,
    refusals: places,
  };
  await manager.query(
    `UPDATE duewatch_dispatch.refusal SET state = 'ended', report = CASE WHEN seq = $2 THEN $3 END WHERE seq = ANY ($1)`,
    [seqs, seqs[0], JSON.stringify(report)],
  );
}

function toGroup(rows: readonly Found[]): RefusalGroup {
  const read = rows.map(({ refused }) => toRefused(refused));
  const [first] = rows;
  const [of] = read;
  if (first === undefined || of === undefined) throw new RangeError('a group has at least one refusal');
  return {
    tenant: of.tenant,
    ...{ agentId: of.event.agentId, contextId: of.event.contextId },
    events: read.map(({ event }) => event),
    seqs: rows.map(({ seq }) => seq),
    places: rows.map((row) => ({ ledgerOffset: Number(row.ledger_offset), eventIndex: row.event_index })),
    ...{ madeAt: first.made_at, failuresCount: first.failures_count },
  };
}

function taskKeyOfRow({ refused }: Found): string {
  const { tenant, event } = toRefused(refused);
  return taskKeyOf(tenant, event.agentId, event.taskId);
}

/** As `foldRefusals` wrote it. */
function toRefused(refused: string): { readonly tenant: string; readonly event: ExpectationRefused } {
  return JSON.parse(refused) as { tenant: string; event: ExpectationRefused };
}
