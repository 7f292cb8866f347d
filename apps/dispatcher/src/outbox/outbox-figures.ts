// What the outbox holds, counted. It must never lock a row: who submits does not wait for who looks.
import type { DataSource } from 'typeorm';
import { type ExpectationLapsed, parseInstant } from '#expectations';
import type { OutboxState } from './outbox-row.entity.ts';

/** The rows of one partition in one state, of which there is at least one. */
export interface OutboxFigures {
  readonly partition: number;
  readonly state: OutboxState;
  readonly count: number;
  /** When the first of them lapsed, in epoch milliseconds by the log. */
  readonly oldestAtMs: number;
}

/** Throws the driver's error. */
export async function outboxFigures(
  database: DataSource,
  partitions: readonly number[],
): Promise<readonly OutboxFigures[]> {
  const rows: { partition: number; state: OutboxState; count: number; lapsed: string }[] = await database.query(
    `SELECT states.partition, states.state, states.count, oldest.lapsed
     FROM (SELECT partition, state, count(*)::int AS count, min(seq) AS seq
           FROM duewatch_dispatch.outbox WHERE partition = ANY ($1) GROUP BY partition, state) AS states
     JOIN duewatch_dispatch.outbox AS oldest ON oldest.seq = states.seq AND oldest.state = states.state`,
    [partitions],
  );
  return rows.map(({ lapsed, ...row }) => ({ ...row, oldestAtMs: lapsedAtMs(lapsed) }));
}

function lapsedAtMs(text: string): number {
  const { event } = JSON.parse(text) as { event: ExpectationLapsed };
  return parseInstant(event.at);
}
