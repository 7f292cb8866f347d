// A partition's notices as rows: gathered from the ledger, sealed when they are first sent, gone once taken.
// Who owns the partition's outbox owns them; nobody else may change one.
import type { DataSource, EntityManager } from 'typeorm';
import type { PartitionOwnership } from '../outbox/partition-ownership.ts';
import { AlertRows, type Closing } from './alert-rows.ts';
import { lapsesOfNotice, type Notice, type NoticedClosing, type NoticedLapse } from './notice.ts';
import { NoticeRow } from './notice.entity.ts';

/** What is added to the notice of a group that is being gathered, or begins one; nothing where only ends are to be told. */
export interface Gathered {
  readonly tenant: string;
  readonly sinkId: string;
  readonly groupKey: string;
  readonly agentId: string;
  readonly kind: string;
  /** At most `lapsesOfNotice`. */
  readonly lapses: readonly NoticedLapse[];
  readonly moreCount: number;
  /** When it is to be sent, where it is the first of its group. */
  readonly dueAt: Date;
  /** The sink holds each lapse as an alert until it is told of its end. */
  readonly isAlerting: boolean;
}

/** What a run of the ledger tells people. */
export interface Gathering {
  readonly groups: readonly Gathered[];
  readonly closings: readonly Closing[];
}

export interface DueNotice {
  readonly seq: string;
  readonly tenant: string;
  readonly sinkId: string;
}

interface About {
  readonly agentId: string;
  readonly kind: string;
}

const groupsAtOnce = 500;
const sinksAtOnce = 200;

/** No sink's id has a space. */
export function sinkKeyOf({ tenant, sinkId }: { readonly tenant: string; readonly sinkId: string }): string {
  return `${tenant} ${sinkId}`;
}

/** Every method that writes throws `OutboxFencedError` where the partition is another's by now; all throw the driver's. */
export class NoticeRows {
  readonly alerts: AlertRows;

  constructor(
    private readonly database: DataSource,
    private readonly partition: number,
    private readonly ownership: PartitionOwnership,
  ) {
    this.alerts = new AlertRows(database, partition);
  }

  /** Adds what a run of the ledger says, in the transaction that moves the partition's position past it. */
  async add(manager: EntityManager, { groups, closings }: Gathering, now: Date): Promise<void> {
    for (let at = 0; at < groups.length; at += groupsAtOnce) {
      const some = groups.slice(at, at + groupsAtOnce);
      await this.gather(manager, some, now);
      const alerting = some.filter(({ isAlerting }) => isAlerting);
      await this.alerts.raise(manager, alerting, now);
    }
    await this.alerts.close(manager, closings);
  }

  private async gather(manager: EntityManager, groups: readonly Gathered[], now: Date): Promise<void> {
    await manager.query(
      `INSERT INTO duewatch_dispatch.notice AS known
         (partition, tenant, sink_id, group_key, about, lapses, more_count, made_at, due_at)
       SELECT $1, tenant, sink_id, group_key, about, ARRAY(SELECT json_array_elements_text(lapses::json)), more_count, $2, due_at
       FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[], $9::timestamptz[])
         AS gathered (tenant, sink_id, group_key, about, lapses, more_count, due_at)
       ON CONFLICT (group_key) WHERE NOT sealed DO UPDATE SET
         lapses = (known.lapses || excluded.lapses)[1:$10],
         more_count = known.more_count + excluded.more_count
           + greatest(0, cardinality(known.lapses) + cardinality(excluded.lapses) - $10)`,
      [
        ...[this.partition, now],
        ...[groups.map(({ tenant }) => tenant), groups.map(({ sinkId }) => sinkId)],
        ...[
          groups.map(({ groupKey }) => groupKey),
          groups.map(({ agentId, kind }) => JSON.stringify({ agentId, kind })),
        ],
        groups.map(({ lapses }) => JSON.stringify(lapses.map((lapse) => JSON.stringify(lapse)))),
        ...[groups.map(({ moreCount }) => moreCount), groups.map(({ dueAt }) => dueAt)],
        lapsesOfNotice,
      ],
    );
  }

  /** The first notice that is due of each sink, those aside that are busy (`sinkKeyOf`). */
  async due(now: Date, busySinks: readonly string[], busyTenants: readonly string[]): Promise<readonly DueNotice[]> {
    return this.database.query(
      `SELECT DISTINCT ON (tenant, sink_id) seq, tenant, sink_id AS "sinkId"
       FROM duewatch_dispatch.notice AS waiting
       WHERE partition = $1 AND due_at <= $2 AND NOT (tenant = ANY ($3)) AND NOT (tenant || ' ' || sink_id = ANY ($4))
         AND ${isToSend}
       ORDER BY tenant, sink_id, due_at, seq LIMIT ${sinksAtOnce}`,
      [this.partition, now, busyTenants, busySinks],
    );
  }

  /** When the next is due that is not yet. */
  async nextDueAt(now: Date): Promise<Date | undefined> {
    const [first] = await this.database.query<{ at: Date | null }[]>(
      `SELECT min(due_at) AS at FROM duewatch_dispatch.notice AS waiting
       WHERE partition = $1 AND due_at > $2 AND ${isToSend}`,
      [this.partition, now],
    );
    return first?.at ?? undefined;
  }

  /** It is what it is from here on: what lapses or ends later is of the next. Undefined where there is none any more. */
  async seal(seq: string, now: Date): Promise<Notice | undefined> {
    const row = await this.owned(async (manager) => {
      const found = await manager.findOneBy(NoticeRow, { seq });
      return found === null || found.sealed ? found : this.sealFirst(manager, found, now);
    });
    if (row === null) return undefined;
    const { tenant, sinkId, moreCount, madeAt, failuresCount } = row;
    const { agentId, kind } = JSON.parse(row.about) as About;
    const lapses = row.lapses.map((text) => JSON.parse(text) as NoticedLapse);
    const closings = row.closings.map((text) => JSON.parse(text) as NoticedClosing);
    return { tenant, sinkId, agentId, kind, lapses, moreCount, closings, madeAt, failuresCount };
  }

  private async sealFirst(manager: EntityManager, row: NoticeRow, now: Date): Promise<NoticeRow> {
    const { seq, groupKey, tenant, sinkId } = row;
    const ends = await this.alerts.takeClosed(manager, groupKey, lapsesOfNotice);
    const sealed = { sealed: true, closings: ends.map((end) => JSON.stringify(end)) };
    await manager.update(NoticeRow, { seq }, sealed);
    if (ends.length === lapsesOfNotice) {
      // There may be more: they are of the next, and it is time for them too.
      const next = { lapses: [], moreCount: 0, dueAt: now, isAlerting: true };
      await this.gather(manager, [{ tenant, sinkId, groupKey, ...(JSON.parse(row.about) as About), ...next }], now);
    }
    return Object.assign(row, sealed);
  }

  /** It was not taken. */
  async postpone(seq: string, dueAt: Date): Promise<void> {
    await this.owned((manager) =>
      manager.query(
        'UPDATE duewatch_dispatch.notice SET failures_count = failures_count + 1, due_at = $2 WHERE seq = $1',
        [seq, dueAt],
      ),
    );
  }

  /** It was taken, or is never sent. */
  async remove(seq: string): Promise<void> {
    await this.owned((manager) => manager.delete(NoticeRow, { seq }));
  }

  private owned<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.database.transaction(async (manager) => {
      await this.ownership.assertOwned(manager);
      return work(manager);
    });
  }
}

/** While one of a group is on its way, the next gathers: a sink that is down has two of each group, however long. */
const isToSend = `(waiting.sealed OR NOT EXISTS (
  SELECT FROM duewatch_dispatch.notice AS before WHERE before.group_key = waiting.group_key AND before.sealed))`;
