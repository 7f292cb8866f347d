// A partition's durable outbox: every change of a row is one statement or one transaction, none is made from a stale
// reading, and none by who does not own the rows any more.
// It must never decide what becomes of a row: `after-attempt` and the ledger do.
import { type DataSource, type EntityManager, In } from 'typeorm';
import { type UntimedInput } from '#event-log';
import { foldRefusals, isOfRefusals } from '../refusals/refusal-change.ts';
import { attemptOf, type Attempted, type RowChange } from './after-attempt.ts';
import { applyChange, insertLapsed, type Lapsed } from './apply-change.ts';
import { tenantKeyOf } from './lapse-key.ts';
import type { LedgerChange } from './ledger-change.ts';
import { OutboxRow, type OutboxState } from './outbox-row.entity.ts';
import { isOwned, PartitionOwnership } from './partition-ownership.ts';
import { firstDueAt, isNotHeld } from './pauses.ts';
import { PlannerFigures } from './planner-figures.ts';
import { type Kept, toWaiting, type WaitingLapse } from './waiting-lapse.ts';

/** What the log is still to be told. */
export interface Report {
  readonly lapseKey: string;
  readonly agentKey: string;
  readonly tenant: string;
  /** JSON text of the input. */
  readonly text: string;
  readonly input: UntimedInput;
}

/** What else is written of a run of the ledger that was read from an offset on. */
export interface Alongside {
  readonly from: number;
  write(manager: EntityManager): Promise<void>;
}

const waiting: readonly OutboxState[] = ['pending', 'asked', 'ready', 'sending', 'unknown'];

/** All rows of an agent (`:agentKey`) are of one tenant. */
const tenantOfAgent = `(SELECT known.tenant_key FROM duewatch_dispatch.outbox AS known
  WHERE known.agent_key = :agentKey AND known.state IN (${waiting.map((state) => `'${state}'`).join()}) LIMIT 1)`;

/**
 * Every method that writes throws `OutboxFencedError` where it changes nothing because the rows are another's. What is
 * under way at the moment of a take-over counts as before it.
 */
export class Outbox {
  private readonly database: DataSource;
  private readonly partition: number;
  private readonly figures: PlannerFigures;
  readonly ownership: PartitionOwnership;

  constructor(database: DataSource, partition: number) {
    this.database = database;
    this.partition = partition;
    this.figures = new PlannerFigures(database);
    this.ownership = new PartitionOwnership(database, partition);
  }

  /** Makes the partition's rows this one's, and nobody else's. To be called before anything else is. */
  takeOver(since = new Date(0)): Promise<void> {
    return this.ownership.takeOver(since);
  }

  /**
   * Applies what a run of the ledger says, in order, writes what goes alongside, and moves the partition's position, all
   * or nothing. A run may come again; one with something alongside is then refused (`RunWrittenError`), since that may not.
   */
  async follow(changes: readonly LedgerChange[], nextOffset: number, now: Date, alongside?: Alongside): Promise<void> {
    const { partition } = this;
    await this.database.transaction(async (manager) => {
      // First: of two who follow at once one waits here, and then finds whose the rows are.
      await this.ownership.moveTo(manager, nextOffset, alongside?.from);
      let run: Lapsed[] = [];
      for (const change of changes) {
        if (change.type === 'lapsed') {
          run.push(change);
          continue;
        }
        if (isOfRefusals(change)) continue;
        await insertLapsed(manager, partition, run, now);
        run = [];
        await applyChange(manager, change, now);
      }
      await insertLapsed(manager, partition, run, now);
      await foldRefusals(manager, partition, changes.filter(isOfRefusals), now);
      await alongside?.write(manager);
    });
    await this.figures.grown(changes.filter(({ type }) => type === 'lapsed').length);
  }

  /** The agents that something waits for. */
  async agentsWaitedFor(): Promise<readonly string[]> {
    const query = this.rows.createQueryBuilder('row').select('row.agentKey', 'agentKey').distinct();
    const where = { state: In([...waiting]), partition: this.partition };
    const found = await query.where(where).getRawMany<{ agentKey: string }>();
    return found.map(({ agentKey }) => agentKey);
  }

  /** The agent's oldest lapses that something may be done about now, or that the ledger has yet to answer. */
  async oldest(agentKey: string, limit: number, now: Date): Promise<readonly WaitingLapse[]> {
    const query = this.rows.createQueryBuilder('row').where({ agentKey, state: In([...waiting]) });
    query
      .andWhere('row.nextAt <= :now', { now, agentKey })
      .andWhere(isNotHeld('row', 'CAST(:now AS timestamptz)', tenantOfAgent));
    const found = await query.orderBy('row.seq').limit(limit).getMany();
    return found.map(toWaiting);
  }

  /** When the first of the agent's lapses may be tried, as none may be now, or sooner; undefined where none waits. */
  async nextAt(agentKey: string, now: Date): Promise<Date | undefined> {
    const query = this.rows.createQueryBuilder('row').where({ agentKey, state: In([...waiting]) });
    const found = await query
      .select(firstDueAt('row', 'CAST(:now AS timestamptz)'), 'nextAt')
      .setParameters({ now })
      .getRawOne<{ nextAt: Date | null }>();
    return found?.nextAt ?? undefined;
  }

  /** Asks the log for leave to send what is of one tenant, in the order given; not for what is under a pause by now. */
  async ask(lapses: readonly WaitingLapse[], now: Date): Promise<void> {
    const inputs = lapses.map((lapse): UntimedInput => ({ type: 'dispatchAttempted', ...attemptOf(lapse) }));
    await this.writeMany(
      `UPDATE duewatch_dispatch.outbox AS row SET state = 'asked', report = asked.report
       FROM unnest($1::text[], $2::text[]) AS asked (lapse_key, report)
       WHERE row.lapse_key = asked.lapse_key AND row.state = 'pending' AND ${isNotHeld('row', '$3::timestamptz', '$4')}`,
      [
        lapses.map(({ lapseKey }) => lapseKey),
        inputs.map((input) => JSON.stringify(input)),
        now,
        tenantKeyOf(lapses[0]?.tenant ?? ''),
      ],
    );
  }

  /** Before bytes leave. False where the ledger has said otherwise meanwhile, or a pause holds it by now. */
  async claim(lapse: WaitingLapse, now: Date): Promise<boolean> {
    return await this.write(
      `UPDATE duewatch_dispatch.outbox AS row SET state = 'sending'
       WHERE lapse_key = $3 AND state = 'ready' AND ${isNotHeld('row', '$4::timestamptz', '$5')} AND ${isOwned}`,
      [lapse.lapseKey, now, tenantKeyOf(lapse.tenant)],
    );
  }

  /** Of what is claimed and not sent: removes it where it has been closed since. False where it is to be sent. */
  async dropClosed(lapse: WaitingLapse): Promise<boolean> {
    return await this.write(
      `DELETE FROM duewatch_dispatch.outbox WHERE lapse_key = $3 AND state = 'sending' AND closed AND ${isOwned}`,
      [lapse.lapseKey],
    );
  }

  /** What was being sent when a process, or a connection to these tables, went away is unknown; looked for from `at` on. */
  async abandon(lapse: WaitingLapse, at: Date): Promise<void> {
    await this.write(
      `UPDATE duewatch_dispatch.outbox SET state = 'unknown', last_outcome = NULL, abandoned_attempt = attempt, next_at = $4
       WHERE lapse_key = $3 AND state = 'sending' AND ${isOwned}`,
      [lapse.lapseKey, at],
    );
  }

  /** After an attempt or a look: the row as it is by now decides. Mostly that is as it was read, which takes no lock. */
  async settle(lapse: WaitingLapse, now: Date, decide: (row: Attempted) => RowChange): Promise<RowChange | undefined> {
    const change = decide(lapse);
    return (await this.settleAsRead(lapse, now, change)) ? change : this.settleAsItIs(lapse, now, decide);
  }

  /** False where anything that decides has changed since it was read, or the rows are another's. */
  private async settleAsRead(lapse: WaitingLapse, now: Date, change: RowChange): Promise<boolean> {
    const asRead = `lapse_key = $3 AND seq = $4 AND attempt = $5 AND last_outcome IS NOT DISTINCT FROM $6
      AND closed = $7 AND report IS NULL AND ${isOwned}`;
    const parameters = [...this.own, lapse.lapseKey, lapse.seq, lapse.attempt, lapse.lastOutcome, lapse.closed];
    const { statement, more } = change.remove
      ? { statement: `DELETE FROM duewatch_dispatch.outbox WHERE ${asRead}`, more: [] }
      : {
          statement: `UPDATE duewatch_dispatch.outbox
            SET state = $8, attempt = $9, last_outcome = $10, next_at = $11, report = $12 WHERE ${asRead}`,
          more: [change.state, change.attempt, change.lastOutcome, dueAt(change, now), reportOf(change)],
        };
    const [, affected] = await this.database.query<[unknown, number]>(statement, [...parameters, ...more]);
    return affected > 0;
  }

  private async settleAsItIs(
    lapse: WaitingLapse,
    now: Date,
    decide: (row: Attempted) => RowChange,
  ): Promise<RowChange | undefined> {
    return this.database.transaction(async (manager) => {
      await this.ownership.assertOwned(manager);
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
      const nextAt = dueAt(change, now);
      const report = reportOf(change) ?? row.report;
      await manager.update(OutboxRow, where, { state, attempt, lastOutcome, nextAt, report });
      return change;
    });
  }

  /** The oldest of what the log is still to be told. */
  async reports(limit: number): Promise<readonly Report[]> {
    const query = this.rows.createQueryBuilder('row').where('row.report IS NOT NULL');
    const mine = query.andWhere({ partition: this.partition });
    const found = await mine.orderBy('row.seq').limit(limit).getMany();
    return found.flatMap(({ report, lapseKey, agentKey, lapsed }) => {
      if (report === null) return [];
      const { tenant } = JSON.parse(lapsed) as Kept;
      return [{ lapseKey, agentKey, tenant, text: report, input: JSON.parse(report) as UntimedInput }];
    });
  }

  /** The log has been told these; what is to be told since then stays. */
  async told(reports: readonly Report[]): Promise<void> {
    await this.writeMany(
      `UPDATE duewatch_dispatch.outbox AS row SET report = NULL
       FROM unnest($1::text[], $2::text[]) AS told (lapse_key, report)
       WHERE row.lapse_key = told.lapse_key AND row.report = told.report`,
      [reports.map(({ lapseKey }) => lapseKey), reports.map(({ text }) => text)],
    );
  }

  /**
   * Runs a statement that locks many rows, in an order of its own. Never while `follow` does so in another: each would
   * wait for a row that the other has.
   */
  private writeMany(sql: string, parameters: readonly unknown[]): Promise<void> {
    return this.database.transaction(async (manager) => {
      await this.ownership.assertOwned(manager);
      await manager.query(sql, [...parameters]);
    });
  }

  /** Runs a statement whose first parameters are partition and owner. False where it changed nothing. */
  private async write(sql: string, parameters: readonly unknown[]): Promise<boolean> {
    const [, affected] = await this.database.query<[unknown, number]>(sql, [...this.own, ...parameters]);
    if (affected === 0) await this.ownership.assertOwned(this.database.manager);
    return affected > 0;
  }

  private get own(): [partition: number, owner: string] {
    return this.ownership.own;
  }

  private get rows() {
    return this.database.getRepository(OutboxRow);
  }
}

type KeptChange = Extract<RowChange, { readonly remove: false }>;

function dueAt({ delayMs }: KeptChange, now: Date): Date {
  return new Date(now.getTime() + delayMs);
}

function reportOf({ report }: KeptChange): string | null {
  return report === null ? null : JSON.stringify(report);
}
