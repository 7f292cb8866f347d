// One partition's life: taken over, recovered, then read, decided and written, batch by batch, until it is given up.
import {
  encodeInbox,
  encodeLedger,
  type EventLog,
  type LedgerEntry,
  type LedgerWriter,
  type NewRecord,
} from '#event-log';
import { formatInstant } from '#expectations';
import type { Clock } from '#runtime';
import type { PartitionDecider } from './partition-decider.ts';
import { recover, withoutWritten } from './recovery.ts';
import { Ticker } from './ticker.ts';

/** At most so many inbox records a read, so many ledger records and events a transaction. */
const READ_LIMIT = 1_000;
const RECORDS_A_TRANSACTION = 2_000;
const EVENTS_A_TRANSACTION = 10_000;
/** A position that moved without output is told so often. */
const POSITION_MOVED_MS = 60_000;

export class PartitionLoop {
  private readonly ticker: Ticker;
  private decider: PartitionDecider | undefined;
  private written: readonly LedgerEntry[] = [];
  private toldAtMs = -Infinity;

  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
    readonly partition: number,
    private readonly deployment: string,
  ) {
    this.ticker = new Ticker(clock);
  }

  /** True once the ledger is folded and new input is being decided. */
  get isReady(): boolean {
    return this.decider !== undefined;
  }

  /** Decides until `signal` aborts. Throws `FencedError`, `LogUnavailableError`, or what a bug throws. */
  async run(signal: AbortSignal): Promise<void> {
    const writer = await this.log.openWriter(this.partition, this.deployment);
    try {
      await this.start(writer);
      while (!signal.aborted) await this.turn(writer, signal);
    } finally {
      this.decider = undefined;
      await writer.release().catch(() => undefined);
    }
  }

  private async start(writer: LedgerWriter): Promise<void> {
    const { deployment, partition } = this;
    const started = { v: 1, type: 'writerStarted', deployment, epoch: writer.epoch } as const;
    await writer.append([{ tenant: null, value: encodeLedger(started) }]);
    const recovered = await recover(this.log, partition);
    this.ticker.measure(await this.log.now());
    this.written = recovered.written;
    this.toldAtMs = recovered.toldAtMs;
    this.decider = recovered.decider;
  }

  private async turn(writer: LedgerWriter, signal: AbortSignal): Promise<void> {
    const { decider } = this;
    if (decider === undefined) return;
    const records = await this.log.read('inbox', this.partition, { from: decider.nextOffset, limit: READ_LIMIT });
    if (records.length === 0) {
      await this.idle(decider, signal);
      return;
    }
    const batch = new Batch(writer);
    for (const record of records) {
      const output = withoutWritten(decider.decide(record), this.written);
      this.written = [];
      for (const entry of output) await batch.add(entry);
      if (output.length > 0) this.toldAtMs = decider.nowMs;
    }
    if (decider.nowMs - this.toldAtMs >= POSITION_MOVED_MS) await this.tellPosition(batch, decider);
    await batch.flush();
  }

  /** Nothing to read: waits for a record, or appends a tick once a deadline has passed. */
  private async idle(decider: PartitionDecider, signal: AbortSignal): Promise<void> {
    const untilTickMs = this.ticker.untilTick(decider.tenants.earliestDeadline());
    if (untilTickMs > 0) {
      await this.log.waitFor('inbox', this.partition, decider.nextOffset, untilTickMs, signal);
      return;
    }
    const appended = await this.log.append(this.partition, [{ tenant: null, value: encodeInbox({ type: 'tick' }) }]);
    this.ticker.ticked(appended.appendedAt);
  }

  private async tellPosition(batch: Batch, decider: PartitionDecider): Promise<void> {
    this.toldAtMs = decider.nowMs;
    const at = formatInstant(decider.nowMs);
    const moved = { v: 1, type: 'positionMoved', at, offset: decider.nextOffset - 1, n: 0, last: true } as const;
    await batch.push({ tenant: null, value: encodeLedger(moved) }, 1);
  }
}

/** Ledger records on their way: a transaction whenever there are enough. */
class Batch {
  private records: NewRecord[] = [];
  private eventCount = 0;

  constructor(private readonly writer: LedgerWriter) {}

  async add(entry: LedgerEntry): Promise<void> {
    await this.push({ tenant: entry.tenant, value: encodeLedger(entry) }, entry.events.length);
  }

  async push(record: NewRecord, eventCount: number): Promise<void> {
    this.records.push(record);
    this.eventCount += eventCount;
    if (this.records.length >= RECORDS_A_TRANSACTION || this.eventCount >= EVENTS_A_TRANSACTION) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.records.length === 0) return;
    const { records } = this;
    this.records = [];
    this.eventCount = 0;
    await this.writer.append(records);
  }
}
