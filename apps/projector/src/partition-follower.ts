// One partition's way into the read model: wait for a record, read a run, fold it, read on from where the tables then stand.
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { EventLog } from '#event-log';
import { foldedOffset, foldLedger, LedgerReader, type LedgerRun } from '#read-model';
import type { Clock } from '#runtime';

const idleMs = 30_000;
/** A transaction costs about as much for one record as for a hundred: light runs begin so far apart. */
const gatherMs = 50;
const lightBytes = 100_000;

export class PartitionFollower {
  private readonly logger = new Logger(PartitionFollower.name);
  private readonly reader: LedgerReader;
  /** The last offset folded, as far as is known; undefined: ask the tables. */
  private after: number | undefined;
  private gatheringUntil = -Infinity;

  constructor(
    private readonly log: EventLog,
    private readonly readModel: DataSource,
    private readonly clock: Clock,
    private readonly partition: number,
  ) {
    this.reader = new LedgerReader(log, partition);
  }

  /** One run folded, or a wait for one. Throws faults of the log and of the database; may be called again. */
  async pass(signal: AbortSignal): Promise<void> {
    const after = this.after ?? (await foldedOffset(this.readModel, this.partition));
    this.after = undefined;
    await this.log.waitFor('ledger', this.partition, after + 1, idleMs, signal);
    // Never longer, where the clock is set back.
    const gatheringMs = Math.min(this.gatheringUntil - this.clock.now(), gatherMs);
    if (gatheringMs > 0) await this.clock.sleep(gatheringMs, signal);
    if (signal.aborted) return;
    const run = await this.reader.next(after);
    if (run.records.length === 0) return;
    const startedAt = this.clock.now();
    const { ledgerOffset, parked } = await foldLedger(this.readModel, run);
    for (const { ledgerOffset: offset, reason } of parked) {
      this.logger.error(`partition ${this.partition}: the record at ${offset} is parked: ${reason}`);
    }
    this.gatheringUntil = isLight(run) ? startedAt + gatherMs : -Infinity;
    this.after = ledgerOffset;
  }
}

function isLight({ records }: LedgerRun): boolean {
  return records.reduce((sum, { value }) => sum + value.byteLength, 0) < lightBytes;
}
