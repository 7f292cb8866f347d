// One partition decided: its inbox's records in order, each with the instant the log gave it. Pure; time is an input.
import { type Event, decide, evolve, formatInstant, type Input, parseInstant, settle } from '#expectations';
import {
  decodeInbox,
  type LedgerEntry,
  type LogRecord,
  type PartitionEntry,
  UndecodableRecordError,
  type UntimedInput,
} from '#event-log';
import { entriesOf, type TenantEvents } from './entries.ts';
import { faultOf } from './readable-input.ts';
import { Tenants } from './tenants.ts';

export class PartitionDecider {
  readonly tenants = new Tenants();
  private now: number;
  private next: number;

  /** As a partition begins, or as a snapshot has it: the offset to be decided next, and the partition's time. */
  constructor(nextOffset = 0, nowMs: number | null = null) {
    this.next = nextOffset;
    this.now = nowMs ?? -Infinity;
  }

  /** The inbox offset that is to be decided next. */
  get nextOffset(): number {
    return this.next;
  }

  /** The partition's time in epoch milliseconds: the latest append instant, never going back; -Infinity before the first record. */
  get nowMs(): number {
    return this.now;
  }

  /** Decides the next inbox record. Returns its whole output: none where a tick decided nothing. */
  decide(record: LogRecord): LedgerEntry[] {
    this.now = Math.max(this.now, record.appendedAt);
    this.next = record.offset + 1;
    const at = formatInstant(this.now);
    const output = this.advance(at);
    if (record.tenant !== null) output.push({ tenant: record.tenant, events: this.tell(record.tenant, record, at) });
    return entriesOf(output, at, record.offset);
  }

  /** Every tenant with a deadline before the instant is advanced to it first. */
  private advance(at: string): TenantEvents[] {
    const output: TenantEvents[] = [];
    for (const tenant of this.tenants.dueBefore(this.now)) {
      const events = decide(this.tenants.state(tenant), { type: 'tick', at });
      this.tenants.changed(tenant);
      if (events.length > 0) output.push({ tenant, events });
    }
    return output;
  }

  private tell(tenant: string, record: LogRecord, at: string): Event[] {
    const state = this.tenants.state(tenant);
    const input = readInput(record, at);
    const events = 'why' in input ? [{ type: 'inputIgnored' as const, at, why: input.why }] : decide(state, input);
    if ('why' in input) for (const event of events) evolve(state, event);
    this.tenants.changed(tenant);
    return events;
  }

  /** Folds one input's whole output, as the ledger has it. */
  fold(entries: readonly LedgerEntry[]): void {
    entries.forEach((entry, index) => {
      const state = this.tenants.state(entry.tenant);
      for (const event of entry.events) evolve(state, event);
      if (entries[index + 1]?.tenant === entry.tenant) return;
      settle(state);
      this.tenants.changed(entry.tenant);
    });
    const last = entries.at(-1);
    if (last === undefined) return;
    this.now = Math.max(this.now, parseInstant(last.at));
    this.next = last.offset + 1;
  }

  /** Folds a record that only says how far the inbox was decided. */
  move(entry: PartitionEntry & { readonly type: 'positionMoved' }): void {
    this.now = Math.max(this.now, parseInstant(entry.at));
    this.next = entry.offset + 1;
  }
}

type Told = Input | { readonly why: string };

/** What cannot be read is not lost: its outcome says why it was ignored. */
function readInput(record: LogRecord, at: string): Told {
  let input: UntimedInput;
  try {
    input = decodeInbox(record.value);
  } catch (cause) {
    if (!(cause instanceof UndecodableRecordError)) throw cause;
    return { why: `undecodable: ${cause.message}` };
  }
  const fault = faultOf(input);
  return fault === undefined ? { ...input, at } : { why: `unreadable: ${fault}` };
}
