// The limit: plain batched inserts of rows as large as a fact, into the same PostgreSQL in the same run.
import type { BenchRun } from '../bench-run.ts';
import { flushMs, plainInserts } from '../limits.ts';
import { milliseconds, printRow, rate } from '../report.ts';

const FACT_BYTES = 200;
const EXPECTATION_BYTES = 450;

/** What the other phases compare with. */
export interface Limits {
  readonly flushMs: number;
  /** Rows a second: of a fact's size and of an expectation's, on four connections; and of a fact's, one at a time. */
  readonly facts: number;
  readonly expectations: number;
  readonly singles: number;
}

export async function measureLimits({ watcher, options }: BenchRun): Promise<Limits> {
  const flush = await flushMs(watcher.dataDirectory);
  printRow({ what: 'a flush of the disk (fdatasync), p50', reached: milliseconds(flush) });
  const url = await watcher.databaseUrl();
  const seconds = 3 * options.scale;
  const measure = async (what: string, rowBytes: number, batchRows: number, connectionCount: number) => {
    const reached = await plainInserts(url, { rowBytes, batchRows, connectionCount, seconds });
    printRow({ what: `plain inserts: ${what}`, reached: rate(reached) });
    return reached;
  };
  await measure('500 of 200 B, 1 connection', FACT_BYTES, 500, 1);
  const facts = await measure('500 of 200 B, 4 connections', FACT_BYTES, 500, 4);
  await measure('500 of 450 B, 1 connection', EXPECTATION_BYTES, 500, 1);
  const expectations = await measure('500 of 450 B, 4 connections', EXPECTATION_BYTES, 500, 4);
  const singles = await measure('1 of 200 B, 32 connections', FACT_BYTES, 1, 32);
  return { flushMs: flush, facts, expectations, singles };
}
