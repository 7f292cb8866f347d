// What a process has done for one partition since it started, however often the partition was taken over.
import type { LedgerEntry } from '#event-log';

export class PartitionTally {
  /** Inbox records decided, ticks included. */
  inputCount = 0;
  /** How long the last take-over took until the first input could be decided. */
  restoredInMs: number | undefined;
  private readonly counts = new Map<string, number>();

  /** Events in the ledger's records, by type. */
  get eventCounts(): ReadonlyMap<string, number> {
    return this.counts;
  }

  wrote({ events }: Pick<LedgerEntry, 'events'>): void {
    for (const { type } of events) this.counts.set(type, (this.counts.get(type) ?? 0) + 1);
  }
}
