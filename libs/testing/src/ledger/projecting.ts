// Folds what is decided into a read model as it comes: a projector in miniature, for tests of who reads it meanwhile.
import type { DataSource } from 'typeorm';
import type { EventLog } from '#event-log';
import { foldedOffset, foldLedger, LedgerReader } from '#read-model';

export class Projecting {
  private readonly stopping = new AbortController();
  private readonly running: Promise<unknown>;

  /** Begins at once. */
  constructor(
    private readonly readModel: DataSource,
    private readonly log: EventLog,
  ) {
    this.running = Promise.all(Array.from({ length: log.partitionCount }, (_, partition) => this.run(partition)));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(partition: number): Promise<void> {
    const { signal } = this.stopping;
    const reader = new LedgerReader(this.log, partition);
    while (!signal.aborted) {
      const run = await reader.next(await foldedOffset(this.readModel, partition));
      if (run.records.length > 0) await foldLedger(this.readModel, run);
      else await this.log.waitFor('ledger', partition, run.after + 1, 1_000, signal);
    }
  }
}
