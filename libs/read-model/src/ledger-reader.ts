// Reads a partition's ledger in runs of about equal weight, whatever its records weigh.
import type { EventLog } from '#event-log';
import type { LedgerRun } from './fold-ledger.ts';

const RUN_BYTES = 500_000;
const LEAST_RECORDS = 16;
const MOST_RECORDS = 2_000;

export class LedgerReader {
  private readonly log: EventLog;
  private readonly partition: number;
  private limit = LEAST_RECORDS;

  constructor(log: EventLog, partition: number) {
    this.log = log;
    this.partition = partition;
  }

  /** What stands after `after` (-1: from the beginning), as far as one run goes; no records where there is nothing. */
  async next(after: number): Promise<LedgerRun> {
    const records = await this.log.read('ledger', this.partition, { from: after + 1, limit: this.limit });
    const bytes = records.reduce((sum, { value }) => sum + value.byteLength, 0);
    if (bytes > 0) {
      const wanted = Math.round((RUN_BYTES * records.length) / bytes);
      this.limit = Math.min(Math.max(wanted, LEAST_RECORDS), MOST_RECORDS);
    }
    return { partition: this.partition, after, records };
  }
}
