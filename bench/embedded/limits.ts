// What the machine does at most: how long the disk takes to flush, and plain inserts into the watcher's own PostgreSQL.
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'pg';

/** Milliseconds that a flush of one page takes: the median of many, on the disk of that directory. */
export async function flushMs(directory: string): Promise<number> {
  const path = join(directory, 'flushed');
  const file = await open(path, 'w');
  const page = Buffer.alloc(8_192, 1);
  const taken: number[] = [];
  for (let round = 0; round < 300; round += 1) {
    await file.write(page, 0, page.length, 0);
    const startedAt = performance.now();
    await file.datasync();
    taken.push(performance.now() - startedAt);
  }
  await file.close();
  await rm(path);
  return taken.sort((one, other) => one - other)[150] ?? NaN;
}

export interface InsertLimit {
  readonly rowBytes: number;
  readonly batchRows: number;
  readonly connectionCount: number;
  readonly seconds: number;
}

/** Rows a second: each statement a batch and a transaction, flushed, one after the other on each connection. */
export async function plainInserts(url: string, limit: InsertLimit): Promise<number> {
  const pool = new Pool({ connectionString: url, max: limit.connectionCount });
  try {
    await pool.query('CREATE TABLE IF NOT EXISTS plain (id bigserial PRIMARY KEY, value text NOT NULL)');
    const batch = Array.from({ length: limit.batchRows }, () => 'x'.repeat(limit.rowBytes));
    let rows = 0;
    const startedAt = performance.now();
    const insert = async (): Promise<void> => {
      while (performance.now() - startedAt < limit.seconds * 1_000) {
        await pool.query({
          name: 'plain',
          text: 'INSERT INTO plain (value) SELECT * FROM unnest($1::text[])',
          values: [batch],
        });
        rows += batch.length;
      }
    };
    await Promise.all(Array.from({ length: limit.connectionCount }, insert));
    return rows / ((performance.now() - startedAt) / 1_000);
  } finally {
    await pool.query('DROP TABLE plain');
    await pool.end();
  }
}
