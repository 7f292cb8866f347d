// Follows one partition of the ledger into the outbox, into what people are to be told, and into reminders, from the one
// position that stands beside them. It must never skip a record: what lapsed in one would never reach its agent.
import type { EntityManager } from 'typeorm';
import { decodeLedger, type EventLog, type LedgerEvent, type LogRecord } from '#event-log';
import { type Clock, linked } from '#runtime';
import { type LedgerChange, toChange } from './outbox/ledger-change.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { Followed } from './outbox/partition-ownership.ts';

const batchRecords = 500;
const idleMs = 30_000;
const mostLooks = 3;
// A position is also written where so much meant nothing to the outbox: a start reads it all again.
const silentRecords = 5_000;
const silentBytes = 8 * 1024 * 1024;

/** An event of the ledger, and whose it is. */
export interface Told {
  readonly offset: number;
  /** Its place in the record. */
  readonly eventIndex: number;
  readonly tenant: string;
  readonly event: LedgerEvent;
}

/** Who tells something of what the ledger says, beside the outbox. */
export interface Teller {
  /** What a run of the ledger means to it; undefined where it is nothing. Throws faults. */
  gather(told: readonly Told[], since: Date): Promise<Gathering | undefined>;
}

export interface Gathering {
  /** In the transaction that moves the position past the run. */
  write(manager: EntityManager): Promise<void>;
  /** It is committed. */
  written(): void;
}

export interface FollowerPorts {
  readonly log: EventLog;
  readonly outbox: Pick<Outbox, 'follow'> & { readonly ownership: Pick<Outbox['ownership'], 'followed'> };
  readonly clock: Clock;
  /** Who tells people. */
  readonly people: Teller | undefined;
  /** Who reminds running tasks. */
  readonly reminders?: Teller | undefined;
}

export class LedgerFollower {
  readonly partition: number;
  private readonly ports: FollowerPorts;
  private readonly onChange: (change: LedgerChange) => void;
  private position: number | undefined;
  private followed: Omit<Followed, 'nextOffset'> = { outboxFrom: 0, noticesFrom: 0, since: new Date(0) };
  private writtenPosition = 0;
  private unwrittenBytes = 0;
  /** What is told of runs once it is known how far they were written. */
  private readonly untold: (() => void)[] = [];
  private waiters: (() => void)[] = [];
  /** Ends a wait for a record: there may be none, and yet more to have seen. */
  private looking = new AbortController();

  /** `onChange` is told of each change once it is written. */
  constructor(partition: number, ports: FollowerPorts, onChange: (change: LedgerChange) => void) {
    this.partition = partition;
    this.ports = ports;
    this.onChange = onChange;
  }

  /** The next ledger offset; undefined while it is not known where to begin. */
  get nextOffset(): number | undefined {
    return this.position;
  }

  /** A wait for a run of the ledger, and the run. Throws faults of the log and of the database; may be called again. */
  async pass(signal: AbortSignal): Promise<true> {
    const { log } = this.ports;
    const position = this.position ?? (await this.begin());
    await linked(signal, this.looking, () =>
      log.waitFor('ledger', this.partition, position, idleMs, this.looking.signal),
    );
    this.looking = new AbortController();
    if (await this.read(position)) return true;
    // Asked before the records: up to here nothing is missing where another read finds nothing.
    const { end } = await log.bounds('ledger', this.partition);
    if (!(await this.read(position))) this.moveTo(Math.max(position, end));
    return true;
  }

  private async begin(): Promise<number> {
    const { nextOffset, ...followed } = await this.ports.outbox.ownership.followed();
    this.followed = followed;
    this.writtenPosition = nextOffset;
    this.unwrittenBytes = 0;
    for (const tell of this.untold.splice(0)) tell();
    this.moveTo(nextOffset);
    return nextOffset;
  }

  /**
   * Resolves once all that stands in the ledger by now is in the outbox, or when the signal aborts. Where that took a
   * while it looks again, a few times: more may stand there since.
   */
  async caughtUp(signal: AbortSignal): Promise<void> {
    for (let look = 0; look < mostLooks; look += 1) {
      const { end } = await this.ports.log.bounds('ledger', this.partition);
      if ((this.position ?? 0) >= end) return;
      this.looking.abort('looked for');
      await this.reached(end, signal);
    }
  }

  private async reached(end: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (this.position ?? 0) < end) {
      const moved = new AbortController();
      this.waiters.push(() => moved.abort());
      await linked(signal, moved, () => this.ports.clock.sleep(idleMs, moved.signal));
    }
  }

  /** False where there is nothing. */
  private async read(from: number): Promise<boolean> {
    const records = await this.ports.log.read('ledger', this.partition, { from, limit: batchRecords });
    const last = records.at(-1);
    if (last !== undefined) await this.take(records, { from, next: last.offset + 1 });
    return last !== undefined;
  }

  private async take(records: readonly LogRecord[], { from, next }: Run): Promise<void> {
    const { outboxFrom, noticesFrom, since } = this.followed;
    const told = records.flatMap(toldIn);
    const ofOutbox = told.filter(({ offset }) => offset >= outboxFrom);
    const changes = ofOutbox.flatMap(
      ({ tenant, event, offset: ledgerOffset, eventIndex }) =>
        toChange(tenant, event, { ledgerOffset, eventIndex }) ?? [],
    );
    const ofPeople = told.filter(({ offset }) => offset >= noticesFrom);
    const { people, reminders } = this.ports;
    const gathered = [await people?.gather(ofPeople, since), await reminders?.gather(told, since)];
    const gatherings = gathered.filter((each) => each !== undefined);
    const bytes = records.reduce((sum, { value }) => sum + value.byteLength, this.unwrittenBytes);
    const isDue = next - this.writtenPosition >= silentRecords || bytes >= silentBytes;
    if (isDue || changes.length > 0 || gatherings.length > 0) {
      await this.write(changes, gatherings, { from, next });
      this.writtenPosition = next;
      this.unwrittenBytes = 0;
    } else this.unwrittenBytes = bytes;
    this.moveTo(next);
  }

  private async write(changes: readonly LedgerChange[], gatherings: readonly Gathering[], run: Run): Promise<void> {
    const { outbox, clock } = this.ports;
    const tell = (): void => {
      for (const change of changes) this.onChange(change);
      for (const gathering of gatherings) gathering.written();
    };
    const write = async (manager: EntityManager): Promise<void> => {
      for (const gathering of gatherings) await gathering.write(manager);
    };
    const alongside = gatherings.length === 0 ? undefined : { from: run.from, write };
    try {
      await outbox.follow(changes, run.next, new Date(clock.now()), alongside);
    } catch (error) {
      // It may be written all the same: where to read on is asked anew.
      this.position = undefined;
      this.untold.push(tell);
      throw error;
    }
    tell();
  }

  private moveTo(position: number): void {
    this.position = position;
    const waiters = this.waiters;
    this.waiters = [];
    for (const wake of waiters) wake();
  }
}

interface Run {
  readonly from: number;
  readonly next: number;
}

function toldIn({ tenant, value, offset }: LogRecord): readonly Told[] {
  const entry = decodeLedger(value);
  if (tenant === null || !('events' in entry)) return [];
  return entry.events.map((event, eventIndex) => ({ offset, eventIndex, tenant, event }));
}
