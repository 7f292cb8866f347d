// The durable outbox: every change of a row is one statement or one transaction, and none is made from a stale reading.
// It must never decide what becomes of a row: `after-attempt` and the ledger do.
import { type DataSource, In } from 'typeorm';
import { type UntimedInput } from '#event-log';
import { type ExpectationLapsed } from '#expectations';
import { attemptOf, type Attempted, type RowChange } from './after-attempt.ts';
import { applyChange, insertLapsed, type Lapsed } from './apply-change.ts';
import type { LedgerChange } from './ledger-change.ts';
import { LedgerPosition } from './ledger-position.entity.ts';
import { OutboxRow, type OutboxState } from './outbox-row.entity.ts';

/** One lapse that waits, as it was read. */
export interface WaitingLapse extends Attempted {
  readonly lapseKey: string;
  readonly partition: number;
  readonly tenant: string;
  readonly state: OutboxState;
  /** True while the log is still to be told something of it: it waits until that is done. */
  readonly isUntold: boolean;
}

/** What the log is still to be told. */
export interface Report {
  readonly lapseKey: string;
  readonly agentKey: string;
  readonly partition: number;
  readonly tenant: string;
  /** JSON text of the input. */
  readonly text: string;
  readonly input: UntimedInput;
}

const waiting: readonly OutboxState[] = ['pending', 'asked', 'ready', 'sending', 'unknown'];

export class Outbox {
  private readonly database: DataSource;

  constructor(database: DataSource) {
    this.database = database;
  }

  /** The next ledger offset of the partition; 0 where it was never followed. */
  async nextOffset(partition: number): Promise<number> {
    const position = await this.database.getRepository(LedgerPosition).findOneBy({ partition });
    return position === null ? 0 : Number(position.nextOffset);
  }

  /** Applies what a run of the ledger says, in order, and moves the partition's position, all or nothing. */
  async follow(partition: number, changes: readonly LedgerChange[], nextOffset: number, now: Date): Promise<void> {
    await this.database.transaction(async (manager) => {
      let run: Lapsed[] = [];
      for (const change of changes) {
        if (change.type === 'lapsed') {
          run.push(change);
          continue;
        }
        await insertLapsed(manager, partition, run, now);
        run = [];
        await applyChange(manager, change, now);
      }
      await insertLapsed(manager, partition, run, now);
      await manager.upsert(LedgerPosition, { partition, nextOffset: String(nextOffset) }, ['partition']);
    });
  }

  /** The agents that something waits for. */
  async agentsWaitedFor(partitions: readonly number[]): Promise<readonly string[]> {
    const query = this.rows.createQueryBuilder('row').select('row.agentKey', 'agentKey').distinct();
    const where = { state: In([...waiting]), partition: In([...partitions]) };
    const found = await query.where(where).getRawMany<{ agentKey: string }>();
    return found.map(({ agentKey }) => agentKey);
  }

  /** The agent's oldest lapses that something may be done about now, or that the ledger has yet to answer. */
  async oldest(agentKey: string, limit: number, now: Date): Promise<readonly WaitingLapse[]> {
    const query = this.rows.createQueryBuilder('row').where({ agentKey, state: In([...waiting]) });
    const found = await query.andWhere('row.nextAt <= :now', { now }).orderBy('row.seq').limit(limit).getMany();
    return found.map(toWaiting);
  }

  /** When the first of the agent's lapses may be tried; undefined where none waits. */
  async nextAt(agentKey: string): Promise<Date | undefined> {
    const query = this.rows.createQueryBuilder('row').where({ agentKey, state: In([...waiting]) });
    const found = await query.select('min(row.nextAt)', 'nextAt').getRawOne<{ nextAt: Date | null }>();
    return found?.nextAt ?? undefined;
  }

  /** Asks the log for leave to send, in the order given. */
  async ask(lapses: readonly WaitingLapse[]): Promise<void> {
    const inputs = lapses.map((lapse): UntimedInput => ({ type: 'dispatchAttempted', ...attemptOf(lapse) }));
    await this.database.query(
      `UPDATE duewatch_dispatch.outbox AS row SET state = 'asked', report = asked.report
       FROM unnest($1::text[], $2::text[]) AS asked (lapse_key, report)
       WHERE row.lapse_key = asked.lapse_key AND row.state = 'pending'`,
      [lapses.map(({ lapseKey }) => lapseKey), inputs.map((input) => JSON.stringify(input))],
    );
  }

  /** Before bytes leave. False where the ledger has said otherwise meanwhile. */
  async claim(lapse: WaitingLapse): Promise<boolean> {
    const { affected } = await this.rows.update({ lapseKey: lapse.lapseKey, state: 'ready' }, { state: 'sending' });
    return affected === 1;
  }

  /** What was being sent when a process, or a connection to these tables, went away is unknown. */
  async abandon(lapse: WaitingLapse): Promise<void> {
    const where = { lapseKey: lapse.lapseKey, state: 'sending' } as const;
    await this.rows.update(where, { state: 'unknown', lastOutcome: null });
  }

  /** After an attempt or a look: the row as it is by now decides, under a lock. */
  async settle(lapse: WaitingLapse, now: Date, decide: (row: Attempted) => RowChange): Promise<RowChange | undefined> {
    return this.database.transaction(async (manager) => {
      const where = { lapseKey: lapse.lapseKey };
      const row = await manager.findOne(OutboxRow, { where, lock: { mode: 'pessimistic_write' } });
      if (row === null) return undefined;
      const present = toWaiting(row);
      // Of an id used again it is another lapse by now, and nothing of it was attempted.
      if (present.lapsed.at !== lapse.lapsed.at) return undefined;
      const change = decide(present);
      if (change.remove) {
        await manager.delete(OutboxRow, where);
        return change;
      }
      const { state, attempt, lastOutcome } = change;
      const nextAt = new Date(now.getTime() + change.delayMs);
      const report = change.report === null ? row.report : JSON.stringify(change.report);
      await manager.update(OutboxRow, where, { state, attempt, lastOutcome, nextAt, report });
      return change;
    });
  }

  /** The oldest of what the log is still to be told. */
  async reports(partitions: readonly number[], limit: number): Promise<readonly Report[]> {
    const query = this.rows.createQueryBuilder('row').where('row.report IS NOT NULL');
    const mine = query.andWhere({ partition: In([...partitions]) });
    const found = await mine.orderBy('row.seq').limit(limit).getMany();
    return found.flatMap(({ report, lapseKey, agentKey, partition, lapsed }) => {
      if (report === null) return [];
      const { tenant } = JSON.parse(lapsed) as Kept;
      return [{ lapseKey, agentKey, partition, tenant, text: report, input: JSON.parse(report) as UntimedInput }];
    });
  }

  /** The log has been told these; what is to be told since then stays. */
  async told(reports: readonly Report[]): Promise<void> {
    await this.database.query(
      `UPDATE duewatch_dispatch.outbox AS row SET report = NULL
       FROM unnest($1::text[], $2::text[]) AS told (lapse_key, report)
       WHERE row.lapse_key = told.lapse_key AND row.report = told.report`,
      [reports.map(({ lapseKey }) => lapseKey), reports.map(({ text }) => text)],
    );
  }

  private get rows() {
    return this.database.getRepository(OutboxRow);
  }
}

interface Kept {
  readonly tenant: string;
  readonly event: ExpectationLapsed;
}

function toWaiting(row: OutboxRow): WaitingLapse {
  const { lapseKey, partition, state, attempt, lastOutcome, closed } = row;
  const { tenant, event } = JSON.parse(row.lapsed) as Kept;
  return {
    lapseKey,
    partition,
    tenant,
    lapsed: event,
    state,
    attempt,
    lastOutcome,
    closed,
    isUntold: row.report !== null,
  };
}
