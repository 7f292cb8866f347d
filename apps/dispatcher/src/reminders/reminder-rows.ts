// A partition's reminders as rows, from the expectation until it closes or its task is over. Who owns the partition's outbox
// owns them; nobody else may change one.
import type { DataSource, EntityManager } from 'typeorm';
import { formatInstant, type LapseBlock } from '#expectations';
import { tenantKeyOf } from '../outbox/lapse-key.ts';
import type { PartitionOwnership } from '../outbox/partition-ownership.ts';
import { isNotHeld } from '../outbox/pauses.ts';
import { aboutDue } from './fold-reminders.ts';
import type { OwnReminder, ToldExpectation } from './own-reminder.ts';

export interface DueAgent {
  readonly agentKey: string;
  readonly tenant: string;
  readonly agentId: string;
}

/** A reminder that is to be told now. */
export interface DueReminder extends OwnReminder {
  readonly seq: string;
  readonly taskKey: string;
  readonly dueAt: Date;
  /** How often it was tried in vain. */
  readonly failuresCount: number;
}

interface Found {
  readonly seq: string;
  readonly task_key: string;
  readonly told: string;
  readonly lapse: string | null;
  readonly due_at: Date;
  readonly failures_count: number;
}

const agentsAtOnce = 200;

/** Pending rows under no pause. */
const isToTell = `row.state = 'pending' AND ${isNotHeld('row', '$2::timestamptz')}`;

/** Every method that writes throws `OutboxFencedError` where the partition is another's by now; all throw the driver's. */
export class ReminderRows {
  constructor(
    private readonly database: DataSource,
    private readonly partition: number,
    private readonly ownership: PartitionOwnership,
  ) {}

  /** The agents of which something is due, those aside that are busy, or of tenants that have enough under way. */
  async due(now: Date, busyAgents: readonly string[], busyTenants: readonly string[]): Promise<readonly DueAgent[]> {
    const found = await this.database.query<{ agent_key: string; told: string }[]>(
      `SELECT DISTINCT ON (agent_key) agent_key, told FROM duewatch_dispatch.reminder AS row
       WHERE partition = $1 AND next_at <= $2 AND NOT (agent_key = ANY ($3)) AND NOT (tenant_key = ANY ($4))
         AND ${isToTell}
       ORDER BY agent_key, next_at LIMIT ${agentsAtOnce}`,
      [this.partition, now, busyAgents, busyTenants.map(tenantKeyOf)],
    );
    return found.map(({ agent_key: agentKey, told }) => {
      const { tenant, expectation } = toTold(told);
      return { agentKey, tenant, agentId: expectation.agentId };
    });
  }

  /** When the next is due that is not yet. */
  async nextDueAt(now: Date): Promise<Date | undefined> {
    const [first] = await this.database.query<{ at: Date | null }[]>(
      `SELECT min(next_at) AS at FROM duewatch_dispatch.reminder AS row
       WHERE partition = $1 AND next_at > $2 AND row.state = 'pending'`,
      [this.partition, now],
    );
    return first?.at ?? undefined;
  }

  /** Before bytes leave: the agent's next that is due, by what the ledger has said by now. Undefined where there is none. */
  async next(agentKey: string, now: Date): Promise<DueReminder | undefined> {
    return this.owned(async (manager) => {
      const [row] = await manager.query<Found[]>(
        `SELECT seq, task_key, told, lapse, due_at, failures_count FROM duewatch_dispatch.reminder AS row
         WHERE partition = $1 AND agent_key = $3 AND next_at <= $2 AND ${isToTell}
         ORDER BY failures_count, next_at, seq LIMIT 1`,
        [this.partition, now, agentKey],
      );
      return row && toDue(row);
    });
  }

  /** It was told, or never is. Of one whose `dueAt` has moved meanwhile that is another reminder, which stays. */
  async end({ seq, dueAt }: DueReminder): Promise<void> {
    await this.owned(async (manager) => {
      await manager.query(`DELETE FROM duewatch_dispatch.reminder WHERE seq = $1 AND about <> '${aboutDue}'`, [seq]);
      await manager.query(
        `UPDATE duewatch_dispatch.reminder SET state = 'kept' WHERE seq = $1 AND about = '${aboutDue}' AND due_at = $2`,
        [seq, dueAt],
      );
    });
  }

  /** Its task is over, or unknown: nothing more is told there. */
  async endTask({ taskKey }: DueReminder): Promise<void> {
    await this.owned((manager) =>
      manager.query('DELETE FROM duewatch_dispatch.reminder WHERE task_key = $1', [taskKey]),
    );
  }

  /** It may not have been told. Of the agent nothing is tried sooner. */
  async postpone({ seq }: DueReminder, agentKey: string, nextAt: Date): Promise<void> {
    await this.owned((manager) =>
      manager.query(
        `UPDATE duewatch_dispatch.reminder
         SET next_at = $3, failures_count = failures_count + CASE WHEN seq = $1 THEN 1 ELSE 0 END
         WHERE agent_key = $2 AND state = 'pending' AND next_at < $3`,
        [seq, agentKey, nextAt],
      ),
    );
  }

  private owned<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.database.transaction(async (manager) => {
      await this.ownership.assertOwned(manager);
      return work(manager);
    });
  }
}

function toDue({
  seq,
  task_key: taskKey,
  told,
  lapse,
  due_at: dueAt,
  failures_count: failuresCount,
}: Found): DueReminder {
  const occasion =
    lapse === null
      ? ({ type: 'dueSoon', dueAt: formatInstant(dueAt.getTime()) } as const)
      : ({ type: 'lapsed', lapse: JSON.parse(lapse) as LapseBlock } as const);
  return { ...toTold(told), occasion, seq, taskKey, dueAt, failuresCount };
}

/** As `foldReminders` wrote it. */
function toTold(told: string): { readonly tenant: string; readonly expectation: ToldExpectation } {
  return JSON.parse(told) as { tenant: string; expectation: ToldExpectation };
}
