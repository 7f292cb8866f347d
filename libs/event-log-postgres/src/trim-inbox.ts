// Letting go of the oldest inbox records, in slices, so that no append waits for long.
import type { Pool } from 'pg';
import type { TrimOptions } from '#event-log';

const RECORDS_A_SLICE = 5_000;

// The first record to stay is looked for from the oldest on: all that lies before it is to go.
const statement = `
  WITH stays AS (
    SELECT record_offset FROM duewatch_log.inbox
    WHERE partition = $1 AND (record_offset >= $2 OR appended_at >= $3) ORDER BY record_offset LIMIT 1
  )
  DELETE FROM duewatch_log.inbox WHERE partition = $1 AND record_offset IN (
    SELECT record_offset FROM duewatch_log.inbox
    WHERE partition = $1 AND record_offset < coalesce((SELECT record_offset FROM stays), $2)
    ORDER BY record_offset LIMIT ${RECORDS_A_SLICE}
  )`;

/** As `EventLog.trim`. Throws the driver's errors. */
export async function trimInbox(pool: Pool, partition: number, options: TrimOptions): Promise<boolean> {
  const { before, appendedBefore } = options;
  const { rowCount } = await pool.query({ name: 'trim', text: statement, values: [partition, before, appendedBefore] });
  return rowCount === RECORDS_A_SLICE;
}
