// The alerts that sinks hold of a partition's lapses, as rows: remembered when they are gathered, closed with their
// expectation, gone once a notice has their end. Written in transactions of who owns the partition, and by nobody else.
import type { DataSource, EntityManager } from 'typeorm';
import { expectationKeyOf, lapseKeyOf } from '../outbox/lapse-key.ts';
import { type NoticedClosing, type NoticedLapse } from './notice.ts';
import type { Gathered } from './notice-rows.ts';

/** An expectation that is over. */
export interface Closing {
  readonly expectationKey: string;
  readonly at: Date;
}

/** An alert of which the end is not known. */
export interface OpenAlert {
  readonly tenant: string;
  readonly sinkId: string;
  readonly expectationKey: string;
  readonly lapse: NoticedLapse;
}

/** A notice is tried for a day, and what it raises stands for a day. */
const mostStandingMs = 2 * 86_400_000;
/** Of one sink so many are remembered, or a few more; the others end by themselves. */
const alertsOfSink = 10_000;

/** All methods throw the driver's error. */
export class AlertRows {
  constructor(
    private readonly database: DataSource,
    private readonly partition: number,
  ) {}

  /** Those of these expectations. */
  async open(expectationKeys: readonly string[], now: Date): Promise<readonly OpenAlert[]> {
    const rows: (Omit<OpenAlert, 'lapse'> & { readonly lapse: string })[] = await this.database.query(
      `SELECT tenant, sink_id AS "sinkId", expectation_key AS "expectationKey", lapse FROM duewatch_dispatch.alert
       WHERE expectation_key = ANY ($1) AND partition = $2 AND closed_at IS NULL AND ends_at > $3`,
      [expectationKeys, this.partition, now],
    );
    return rows.map((row) => ({ ...row, lapse: JSON.parse(row.lapse) as NoticedLapse }));
  }

  /** Remembers what the groups raise, and forgets what has ended by itself. */
  async raise(manager: EntityManager, groups: readonly Gathered[], now: Date): Promise<void> {
    const raised = new Map(groups.flatMap((group) => group.lapses.map((lapse) => rowOf(group, lapse))));
    if (raised.size === 0) return;
    const rows = [...raised.values()];
    const { partition } = this;
    await manager.query('DELETE FROM duewatch_dispatch.alert WHERE partition = $1 AND ends_at <= $2', [partition, now]);
    await manager.query(
      `INSERT INTO duewatch_dispatch.alert
         (tenant, sink_id, lapse_key, partition, expectation_key, group_key, lapse, ends_at)
       SELECT tenant, sink_id, lapse_key, $1, expectation_key, group_key, lapse, $2
       FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
         AS raised (tenant, sink_id, lapse_key, expectation_key, group_key, lapse)
       LEFT JOIN (
         SELECT tenant, sink_id, count(*) AS count FROM duewatch_dispatch.alert
         WHERE (tenant, sink_id) IN (SELECT * FROM unnest($3::text[], $4::text[])) GROUP BY tenant, sink_id
       ) AS known USING (tenant, sink_id)
       WHERE coalesce(known.count, 0) < $9
       ON CONFLICT (tenant, sink_id, lapse_key) DO UPDATE
       SET lapse = excluded.lapse, ends_at = excluded.ends_at, closed_at = NULL`,
      [
        ...[partition, new Date(now.getTime() + mostStandingMs)],
        ...[rows.map(({ tenant }) => tenant), rows.map(({ sinkId }) => sinkId)],
        ...[rows.map(({ lapseKey }) => lapseKey), rows.map(({ expectationKey }) => expectationKey)],
        ...[rows.map(({ groupKey }) => groupKey), rows.map(({ lapse }) => lapse)],
        alertsOfSink,
      ],
    );
  }

  /** From here on their ends are to be told. */
  async close(manager: EntityManager, closings: readonly Closing[]): Promise<void> {
    if (closings.length === 0) return;
    await manager.query(
      `UPDATE duewatch_dispatch.alert AS raised SET closed_at = closed.at
       FROM unnest($1::text[], $2::timestamptz[]) AS closed (expectation_key, at)
       WHERE raised.expectation_key = closed.expectation_key AND raised.partition = $3 AND raised.closed_at IS NULL`,
      [closings.map(({ expectationKey }) => expectationKey), closings.map(({ at }) => at), this.partition],
    );
  }

  /** Removes the first that were closed of a group, as many as asked for, and gives their ends. */
  async takeClosed(manager: EntityManager, groupKey: string, mostCount: number): Promise<readonly NoticedClosing[]> {
    const [rows] = await manager.query<[{ lapse: string; closed_at: Date }[], number]>(
      `DELETE FROM duewatch_dispatch.alert WHERE (tenant, sink_id, lapse_key) IN (
         SELECT tenant, sink_id, lapse_key FROM duewatch_dispatch.alert
         WHERE group_key = $1 AND closed_at IS NOT NULL ORDER BY closed_at LIMIT $2
       ) RETURNING lapse, closed_at`,
      [groupKey, mostCount],
    );
    return rows.map(({ lapse, closed_at }) => ({
      ...(JSON.parse(lapse) as NoticedLapse),
      closedAt: closed_at.toISOString(),
    }));
  }
}

function rowOf({ tenant, sinkId, agentId, groupKey }: Gathered, noticed: NoticedLapse) {
  const { expectationId, lapse: kind } = noticed.lapse;
  const lapseKey = lapseKeyOf(tenant, agentId, expectationId, kind);
  const expectationKey = expectationKeyOf(tenant, agentId, expectationId);
  const row = { tenant, sinkId, groupKey, lapseKey, expectationKey, lapse: JSON.stringify(noticed) };
  return [`${tenant} ${sinkId} ${lapseKey}`, row] as const;
}
