// Writes a ledger as a timekeeper would, for tests of those who read it.
import {
  encodeLedger,
  type EventLog,
  type LedgerEvent,
  type LedgerWriter,
  type NewRecord,
  partitionOf,
} from '#event-log';

/** Each call is one input's whole output, unless it says otherwise. */
export class LedgerScript {
  private readonly log: EventLog;
  private readonly writers = new Map<number, LedgerWriter>();
  private inboxOffset = -1;

  constructor(log: EventLog) {
    this.log = log;
  }

  /** Appends one record of the tenant; its instant is that of the last event. Resolves to where it stands. */
  async decided(
    tenant: string,
    ...events: readonly LedgerEvent[]
  ): Promise<{ partition: number; offset: number; inboxOffset: number }> {
    this.inboxOffset += 1;
    return await this.append(tenant, this.recordOf(tenant, events, this.inboxOffset));
  }

  /** A record with a value of the test's own. */
  async append(tenant: string, record: NewRecord): Promise<{ partition: number; offset: number; inboxOffset: number }> {
    const partition = partitionOf(tenant, this.log.partitionCount);
    const writer = this.writers.get(partition) ?? (await this.log.openWriter(partition, 'test'));
    this.writers.set(partition, writer);
    const { offsets } = await writer.append([record]);
    return { partition, offset: offsets[0] ?? -1, inboxOffset: this.inboxOffset };
  }

  recordOf(tenant: string, events: readonly LedgerEvent[], offset: number): NewRecord {
    const at = events.at(-1)?.at ?? '2026-09-01T00:00:00Z';
    return { tenant, value: encodeLedger({ v: 1, tenant, at, offset, n: 0, last: true, events }) };
  }
}
