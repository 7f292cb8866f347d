// Watches one partition's ledger as it is written, record by record: each input's output whole, once, in its order, as
// the naive partition decides it from the inbox as the log stamped it; and nobody writes who has been fenced.
import { isDeepStrictEqual } from 'node:util';
import { decodeLedger, type LedgerEntry, type LedgerEvent, type LogRecord, type PartitionEntry } from '#event-log';
import type { Event } from '#expectations';
import { judge } from '#testing';
import { SimulationFailure } from '../simulation-failure.ts';
import { type Decision, NaivePartition } from './naive-partition.ts';
import { toldBy } from './told.ts';

export class LedgerWatch {
  readonly naive = new NaivePartition();
  private readonly inbox: LogRecord[] = [];
  /** The events of each tenant, as the ledger has them. */
  private readonly events = new Map<string, Event[]>();
  /** The decision that the ledger is in the middle of, or that it is to have next. */
  private awaited: Decision | undefined;
  private writtenCount = 0;
  /** A first writer may have the epoch 0. */
  private epoch = -1;
  private announcedEpoch = -1;

  constructor(readonly partition: number) {}

  appendedToInbox(records: readonly LogRecord[]): void {
    this.inbox.push(...records);
  }

  takenOver(epoch: number): void {
    this.check(epoch > this.epoch, `a take-over must raise the epoch: ${this.epoch}, then ${epoch}`);
    this.epoch = epoch;
  }

  appendedToLedger(records: readonly LogRecord[], epoch: number | undefined): void {
    this.check(epoch === this.epoch, `a fenced writer appends: epoch ${epoch}, and ${this.epoch} has taken over`);
    for (const record of records) {
      const entry = decodeLedger(record.value);
      if ('type' in entry) this.checkPartitionEntry(entry);
      else this.checkEntry(entry, record);
    }
  }

  /** True once all that the inbox has is in the ledger. */
  isCaughtUp(): boolean {
    this.decideOn();
    return this.awaited === undefined;
  }

  /** The instant of the earliest deadline that is not in the inbox yet; undefined where there is none. */
  earliestDeadline(): number | undefined {
    return this.naive.earliestDeadline();
  }

  eventsOf(tenant: string): readonly Event[] {
    return this.events.get(tenant) ?? [];
  }

  get tenants(): readonly string[] {
    return [...this.naive.states.keys()];
  }

  /** Compares what the ledger tells of every tenant with what the naive model judges of the same inputs. */
  checkAgainstModel(): void {
    // In the middle of an output the ledger tells less than the inputs do.
    if (this.awaited !== undefined) return;
    for (const tenant of this.tenants) {
      const inputs = this.naive.seen.map(({ tenant: whose, input }) =>
        whose === tenant ? input : { type: 'tick' as const, at: input.at },
      );
      const { records, lapses, refusals } = judge({ inputs });
      const model: unknown = JSON.parse(JSON.stringify({ records, lapses, refusals }));
      const told: unknown = JSON.parse(JSON.stringify(toldBy(this.eventsOf(tenant))));
      if (isDeepStrictEqual(model, told)) continue;
      throw new SimulationFailure(
        `the ledger of ${tenant} and the naive model differ\n model: ${JSON.stringify(model)}\nledger: ${JSON.stringify(told)}`,
      );
    }
  }

  private checkPartitionEntry(entry: PartitionEntry): void {
    if (entry.type === 'writerStarted') {
      this.check(entry.epoch === this.epoch, `a writer of epoch ${this.epoch} says it is ${entry.epoch}`);
      this.announcedEpoch = entry.epoch;
      return;
    }
    this.checkAnnounced();
    if (entry.type !== 'positionMoved') throw new SimulationFailure(`nobody expects a ${entry.type}: ${show(entry)}`);
    this.decideOn();
    const next = this.awaited?.offset ?? this.inbox.length;
    this.check(this.writtenCount === 0, 'the position is told in the middle of an output');
    this.check(entry.offset < next, `the position ${entry.offset} is told, and ${next} is not decided`);
  }

  private checkEntry(entry: LedgerEntry, record: LogRecord): void {
    this.checkAnnounced();
    this.decideOn();
    const { awaited } = this;
    if (awaited === undefined) throw new SimulationFailure(`the ledger has more than the inbox has: ${show(entry)}`);
    const due = awaited.events.slice(this.writtenCount, this.writtenCount + entry.events.length);
    const isLast = this.writtenCount + entry.events.length === awaited.events.length;
    const expected = {
      ...{ v: 1, tenant: due[0]?.tenant, at: awaited.at, offset: awaited.offset, n: this.writtenCount, last: isLast },
      events: due.map(({ event }) => plain(event)),
    };
    const told = { ...entry, events: entry.events.map(plain) };
    const isOfOne = due.length > 0 && due.every(({ tenant }) => tenant === entry.tenant);
    if (!isOfOne || entry.tenant !== record.tenant || !isDeepStrictEqual(told, expected)) {
      throw new SimulationFailure(
        `ledger ${this.partition} at ${record.offset}: ${show(entry)}\nwhere the inbox has ${show(expected)}`,
      );
    }
    const events = this.events.get(entry.tenant) ?? [];
    // They equal what the core has decided.
    events.push(...(entry.events as readonly Event[]));
    this.events.set(entry.tenant, events);
    this.writtenCount = isLast ? 0 : this.writtenCount + entry.events.length;
    if (isLast) this.awaited = undefined;
  }

  /** Decides on to the next input that has an output. */
  private decideOn(): void {
    while (this.awaited === undefined) {
      const record = this.inbox[this.naive.seen.length];
      if (record === undefined) return;
      const decision = this.naive.decide(record);
      if (decision.events.length > 0) this.awaited = decision;
    }
  }

  private checkAnnounced(): void {
    this.check(this.announcedEpoch === this.epoch, 'a writer begins by saying that it has started');
  }

  private check(holds: boolean, message: string): void {
    if (!holds) throw new SimulationFailure(`ledger ${this.partition}: ${message}`);
  }
}

/** As it is read back; why an input was ignored is for people. */
function plain(event: LedgerEvent): unknown {
  const read = JSON.parse(JSON.stringify(event)) as Record<string, unknown>;
  return read['type'] === 'inputIgnored' ? { ...read, why: '' } : read;
}

function show(value: unknown): string {
  return JSON.stringify(value).slice(0, 2_000);
}
