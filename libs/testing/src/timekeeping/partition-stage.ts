// One partition's log in memory under a clock that a test moves, and what a test asks of it.
import {
  decodeInbox,
  decodeLedger,
  type EventLog,
  type LedgerEntry,
  type LogRecord,
  MemoryEventLog,
  type NewRecord,
  type PartitionEntry,
  type Topic,
  type UntimedInput,
} from '#event-log';
import type { Event } from '#expectations';
import { ManualClock } from '../clock/manual-clock.ts';
import { inboxRecord, type StampedRecord } from './inbox-records.ts';

export class PartitionStage {
  readonly clock: ManualClock;
  readonly log: MemoryEventLog;
  /** The log's clock minus the process's. */
  differenceMs = 0;

  constructor(readonly startMs = Date.parse('2026-09-01T00:00:00Z')) {
    this.clock = new ManualClock(startMs);
    this.log = new MemoryEventLog({ clock: this.clock, partitionCount: 1, now: () => this.logNow() });
  }

  /** What the log's clock shows. */
  logNow(): number {
    return this.clock.now() + this.differenceMs;
  }

  async tell(tenant: string, ...inputs: readonly UntimedInput[]): Promise<void> {
    await this.append(inputs.map((input) => inboxRecord(tenant, input)));
  }

  async append(records: readonly NewRecord[]): Promise<void> {
    await this.log.append(0, records);
    await this.clock.settle();
  }

  /** Appends records at the instants they are stamped with; the log's clock stays at the last, the process's at the latest. */
  async appendStamped(records: readonly StampedRecord[]): Promise<void> {
    for (const record of records) {
      this.clock.correct(Math.max(0, record.appendedAt - this.clock.now()));
      this.differenceMs = record.appendedAt - this.clock.now();
      await this.log.append(0, [record]);
    }
    await this.clock.settle();
  }

  /** Writes records to the ledger as an earlier writer would have. */
  async writeLedger(values: readonly NewRecord[]): Promise<void> {
    const writer = await this.log.openWriter(0);
    if (values.length > 0) await writer.append(values);
  }

  inbox(): Promise<readonly LogRecord[]> {
    return readAll(this.log, 'inbox');
  }

  ledger(): Promise<readonly LogRecord[]> {
    return readAll(this.log, 'ledger');
  }

  /** How many milliseconds after the start each tick was appended, by the log's clock. */
  async tickTimes(): Promise<number[]> {
    const ticks = (await this.inbox()).filter(({ value }) => decodeInbox(value).type === 'tick');
    return ticks.map(({ appendedAt }) => appendedAt - this.startMs);
  }

  /** What was decided, record by record, as text; records of the partition are left out. */
  async decided(): Promise<string[]> {
    return decidedTexts(await this.ledger());
  }

  /** The ledger's entries of the tenants. */
  async entries(): Promise<LedgerEntry[]> {
    return (await this.decoded()).filter((entry) => 'events' in entry);
  }

  /** The records of the partition of a type. */
  async partitionEntries<Type extends PartitionEntry['type']>(
    type: Type,
  ): Promise<Extract<PartitionEntry, { type: Type }>[]> {
    const entries = (await this.decoded()).filter((entry) => 'type' in entry);
    return entries.filter((entry): entry is Extract<PartitionEntry, { type: Type }> => entry.type === type);
  }

  /** The events of a type, in order. */
  async events<Type extends Event['type']>(type: Type): Promise<Extract<Event, { type: Type }>[]> {
    const events = (await this.entries()).flatMap((entry) => entry.events);
    return events.filter((event): event is Extract<Event, { type: Type }> => event.type === type);
  }

  private async decoded(): Promise<(LedgerEntry | PartitionEntry)[]> {
    return (await this.ledger()).map(({ value }) => decodeLedger(value));
  }
}

/** The records of tenants among a ledger's, each with its own tenant, as text. */
export function decidedTexts(ledger: readonly NewRecord[]): string[] {
  return ledger.flatMap(({ tenant, value }) => {
    return 'type' in decodeLedger(value) ? [] : [`${String(tenant)} ${new TextDecoder().decode(value)}`];
  });
}

async function readAll(log: EventLog, topic: Topic): Promise<LogRecord[]> {
  const all: LogRecord[] = [];
  for (;;) {
    const page = await log.read(topic, 0, { from: (all.at(-1)?.offset ?? -1) + 1, limit: 10_000 });
    if (page.length === 0) return all;
    all.push(...page);
  }
}
