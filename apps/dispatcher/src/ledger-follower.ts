// Follows one partition of the ledger into the outbox, from the position that stands beside its rows.
// It must never skip a record: what lapsed in one would never reach its agent.
import { decodeLedger, type EventLog, type LogRecord } from '#event-log';
import { type Clock, linked } from '#runtime';
import { type LedgerChange, toChange } from './outbox/ledger-change.ts';
import type { Outbox } from './outbox/outbox.ts';

const batchRecords = 500;
const idleMs = 30_000;
const mostLooks = 3;
// A position is also written where so much meant nothing to the outbox: a start reads it all again.
const silentRecords = 5_000;
const silentBytes = 8 * 1024 * 1024;

export class LedgerFollower {
  readonly partition: number;
  private readonly log: EventLog;
  private readonly outbox: Outbox;
  private readonly clock: Clock;
  private readonly onChange: (change: LedgerChange) => void;
  private position: number | undefined;
  private writtenPosition = 0;
  private unwrittenBytes = 0;
  private waiters: (() => void)[] = [];
  /** Ends a wait for a record: there may be none, and yet more to have seen. */
  private looking = new AbortController();

  /** `onChange` is told of each change once it is written. */
  constructor(
    partition: number,
    ports: { readonly log: EventLog; readonly outbox: Outbox; readonly clock: Clock },
    onChange: (change: LedgerChange) => void,
  ) {
    this.partition = partition;
    this.log = ports.log;
    this.outbox = ports.outbox;
    this.clock = ports.clock;
    this.onChange = onChange;
  }

  /** The next ledger offset; undefined while it is not known where to begin. */
  get nextOffset(): number | undefined {
    return this.position;
  }

  /** A wait for a run of the ledger, and the run. Throws faults of the log and of the database; may be called again. */
  async pass(signal: AbortSignal): Promise<true> {
    this.position ??= this.writtenPosition = await this.outbox.nextOffset();
    const position = this.position;
    await linked(signal, this.looking, () =>
      this.log.waitFor('ledger', this.partition, position, idleMs, this.looking.signal),
    );
    this.looking = new AbortController();
    if (await this.read(this.position)) return true;
    // Asked before the records: up to here nothing is missing where another read finds nothing.
    const { end } = await this.log.bounds('ledger', this.partition);
    if (!(await this.read(this.position))) this.moveTo(Math.max(this.position, end));
    return true;
  }

  /**
   * Resolves once all that stands in the ledger by now is in the outbox, or when the signal aborts. Where that took a
   * while it looks again, a few times: more may stand there since.
   */
  async caughtUp(signal: AbortSignal): Promise<void> {
    for (let look = 0; look < mostLooks; look += 1) {
      const { end } = await this.log.bounds('ledger', this.partition);
      if ((this.position ?? 0) >= end) return;
      this.looking.abort('looked for');
      await this.reached(end, signal);
    }
  }

  private async reached(end: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (this.position ?? 0) < end) {
      const moved = new AbortController();
      this.waiters.push(() => moved.abort());
      await linked(signal, moved, () => this.clock.sleep(idleMs, moved.signal));
    }
  }

  /** False where there is nothing. */
  private async read(from: number): Promise<boolean> {
    const records = await this.log.read('ledger', this.partition, { from, limit: batchRecords });
    const last = records.at(-1);
    if (last !== undefined) await this.take(records, last.offset + 1);
    return last !== undefined;
  }

  private async take(records: readonly LogRecord[], next: number): Promise<void> {
    const changes = records.flatMap(changesOf);
    const bytes = records.reduce((sum, { value }) => sum + value.byteLength, this.unwrittenBytes);
    if (changes.length > 0 || next - this.writtenPosition >= silentRecords || bytes >= silentBytes) {
      await this.outbox.follow(changes, next, new Date(this.clock.now()));
      this.writtenPosition = next;
      this.unwrittenBytes = 0;
    } else this.unwrittenBytes = bytes;
    for (const change of changes) this.onChange(change);
    this.moveTo(next);
  }

  private moveTo(position: number): void {
    this.position = position;
    const waiters = this.waiters;
    this.waiters = [];
    for (const wake of waiters) wake();
  }
}

function changesOf({ tenant, value, offset: ledgerOffset }: LogRecord): readonly LedgerChange[] {
  const entry = decodeLedger(value);
  if (tenant === null || !('events' in entry)) return [];
  return entry.events.flatMap((event, eventIndex) => toChange(tenant, event, { ledgerOffset, eventIndex }) ?? []);
}
