// Reading a partition in offset order, by count and by bytes.
import assert from 'node:assert/strict';
import type { Pool } from 'pg';
import { fromSafeText, type LogRecord, MAX_READ_BYTES, type ReadOptions, type Topic } from '#event-log';

type Row = [offset: string, appendedAt: string, tenant: string | null, value: string];

// The size of a value is known without reading it, so what is past the bound is never fetched. The driver takes every
// result for text; of the forms that bytes have there, base64 costs it half of what hexadecimal does.
const statement = (topic: Topic): string => `
  SELECT record_offset, appended_at, tenant, encode(value, 'base64')
  FROM (
    SELECT *, sum(octet_length(value)) OVER (ORDER BY record_offset ROWS UNBOUNDED PRECEDING) - octet_length(value) AS before
    FROM duewatch_log.${topic} WHERE partition = $1 AND record_offset >= $2 ORDER BY record_offset LIMIT $3
  ) AS wanted
  WHERE before < ${MAX_READ_BYTES}`;

const statements = { inbox: statement('inbox'), ledger: statement('ledger') } as const;

/** As `EventLog.read`. Throws the driver's errors. */
export async function readRecords(
  pool: Pool,
  topic: Topic,
  partition: number,
  { from, limit }: ReadOptions,
): Promise<LogRecord[]> {
  assert(from >= 0 && limit > 0, 'a read begins at an offset and wants at least one record');
  const { rows } = await pool.query<Row>({
    name: `read-${topic}`,
    text: statements[topic],
    values: [partition, from, limit],
    rowMode: 'array',
  });
  return rows.map(([offset, appendedAt, tenant, value]) => ({
    offset: Number(offset),
    appendedAt: Number(appendedAt),
    tenant: tenant === null ? null : fromSafeText(tenant),
    value: Buffer.from(value, 'base64'),
  }));
}
