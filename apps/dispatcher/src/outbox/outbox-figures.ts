// What the outbox holds, counted. It must never lock a row: who submits does not wait for who looks.
import type { DataSource } from 'typeorm';
import { type ExpectationLapsed, parseInstant } from '#expectations';
import type { OutboxState } from './outbox-row.entity.ts';
import { isNotHeld } from './pauses.ts';

/** The rows of one partition in one state, of which there is at least one. */
export interface OutboxFigures {
  readonly partition: number;
  /** `held`: it waits for a pause to end. */
  readonly state: OutboxState | 'held';
  readonly count: number;
  /** When the first of them lapsed, in epoch milliseconds by the log. */
  readonly oldestAtMs: number;
}

/** By the pauses in force at `now`. Throws the driver's error. */
export async function outboxFigures(
  database: DataSource,
  partitions: readonly number[],
  now: Date,
): Promise<readonly OutboxFigures[]> {
  const rows: (Omit<OutboxFigures, 'oldestAtMs'> & { readonly lapsed: string })[] = await database.query(
    `SELECT states.partition, states.state, states.count, oldest.lapsed
     FROM (SELECT partition, shown AS state, count(*)::int AS count, min(seq) AS seq
           FROM (SELECT partition, seq, CASE WHEN ${isNotHeld('row', '$2::timestamptz')} THEN state ELSE 'held' END AS shown
                 FROM duewatch_dispatch.outbox AS row WHERE partition = ANY ($1)) AS rows
           GROUP BY partition, shown) AS states
     JOIN duewatch_dispatch.outbox AS oldest ON oldest.seq = states.seq AND oldest.partition = states.partition`,
    [partitions, now],
  );
  return rows.map(({ lapsed, ...row }) => ({ ...row, oldestAtMs: lapsedAtMs(lapsed) }));
}

function lapsedAtMs(text: string): number {
  const { event } = JSON.parse(text) as { event: ExpectationLapsed };
  return parseInstant(event.at);
}
