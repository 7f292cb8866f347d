// One append as one statement, which is one transaction: the head's row is counted up, and with it locked; then the
// clock is read; then the records are written. No reader can see a record before an earlier one.
import type { Pool } from 'pg';
import { type NewRecord, type Place, type Topic, toSafeText } from '#event-log';
import { BYTEA, encodeArray, TEXT } from './binary-array.ts';

const encoder = new TextEncoder();

const statement = (topic: Topic): string => `
  WITH head AS (
    UPDATE duewatch_log.head SET end_offset = end_offset + $2
    WHERE topic = '${topic}' AND partition = $1 AND ($3::bigint IS NULL OR epoch = $3)
    RETURNING end_offset - $2 AS first
  ), place AS MATERIALIZED (
    SELECT first, floor(extract(epoch FROM duewatch_log.clock()) * 1000)::bigint AS appended_at FROM head
  ), written AS (
    INSERT INTO duewatch_log.${topic} (partition, record_offset, appended_at, tenant, value)
    SELECT $1, first + nth - 1, appended_at, tenant, value
    FROM place, unnest($4::text[], $5::bytea[]) WITH ORDINALITY AS record (tenant, value, nth)
  )
  SELECT first, appended_at FROM place`;

const statements = { inbox: statement('inbox'), ledger: statement('ledger') } as const;

/** Undefined, and nothing written, where the partition has another epoch. Throws the driver's errors. */
export async function appendRecords(
  pool: Pool,
  topic: Topic,
  partition: number,
  epoch: number | null,
  records: readonly NewRecord[],
): Promise<Place | undefined> {
  const { rows } = await pool.query<{ first: string; appended_at: string }>({
    name: `append-${topic}`,
    text: statements[topic],
    values: [
      partition,
      records.length,
      epoch,
      encodeArray(TEXT, encodeTenants(records)),
      encodeArray(
        BYTEA,
        records.map(({ value }) => value),
      ),
    ],
  });
  const row = rows[0];
  return row === undefined ? undefined : { first: Number(row.first), appendedAt: Number(row.appended_at) };
}

/** Runs of one tenant, as batches are, are encoded once. */
function encodeTenants(records: readonly NewRecord[]): (Uint8Array | null)[] {
  let last: string | undefined;
  let encoded: Uint8Array | null = null;
  return records.map(({ tenant }) => {
    if (tenant === null) return null;
    if (tenant !== last) encoded = encoder.encode(toSafeText((last = tenant)));
    return encoded;
  });
}
