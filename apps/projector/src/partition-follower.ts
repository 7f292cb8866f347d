// One partition's way into the read model: read a run, fold it, read on from where the tables then stand.
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { EventLog } from '#event-log';
import { foldedOffset, foldLedger, LedgerReader } from '#read-model';

const idleMs = 30_000;

export class PartitionFollower {
  private readonly logger = new Logger(PartitionFollower.name);
  private readonly log: EventLog;
  private readonly readModel: DataSource;
  private readonly partition: number;
  private readonly reader: LedgerReader;
  /** The last offset folded, as far as is known; undefined: ask the tables. */
  private after: number | undefined;

  constructor(log: EventLog, readModel: DataSource, partition: number) {
    this.log = log;
    this.readModel = readModel;
    this.partition = partition;
    this.reader = new LedgerReader(log, partition);
  }

  /** One run folded, or a wait for one. Throws faults of the log and of the database; may be called again. */
  async pass(signal: AbortSignal): Promise<void> {
    const after = this.after ?? (await foldedOffset(this.readModel, this.partition));
    this.after = undefined;
    const run = await this.reader.next(after);
    if (run.records.length === 0) {
      await this.log.waitFor('ledger', this.partition, after + 1, idleMs, signal);
      return;
    }
    const { ledgerOffset, parked } = await foldLedger(this.readModel, run);
    for (const { ledgerOffset: offset, reason } of parked) {
      this.logger.error(`partition ${this.partition}: the record at ${offset} is parked: ${reason}`);
    }
    this.after = ledgerOffset;
  }
}
