// One partition's ledger, read once for all writes that wait in this process; it stops when none does.
// It must never miss a decision: a write joins before its append, and pieces are kept until its offsets are known.
import { Logger } from '@nestjs/common';
import { type EventLog, type LogRecord, LogUnavailableError } from '#event-log';
import type { Clock } from '#runtime';
import { type DecidedPiece, DecidedWrite, readPiece } from './decided.ts';

const readLimit = 500;
const idleMs = 1_000;
const retryMs = 200;

/** A write's place at the tail, taken before its append; to be ended by one of its two methods. */
export interface TailTicket {
  /** No decision of the write stands before this ledger offset. */
  readonly ledgerFrom: number;
  /**
   * The write's decisions so far, complete unless `waitMs` have passed first. `onDecided` is called once they are
   * complete, also when nobody waits any more, or once this is closed.
   */
  decisions(tenant: string, offsets: readonly number[], waitMs: number, onDecided?: () => void): Promise<DecidedWrite>;
  /** Nothing was appended. */
  leave(): void;
}

interface Waiter {
  readonly write: DecidedWrite;
  readonly done: AbortController;
}

interface Wait {
  readonly offsets: readonly number[];
  readonly waitMs: number;
  readonly onDecided: (() => void) | undefined;
}

export class LedgerTail {
  private readonly logger = new Logger(LedgerTail.name);
  private readonly waiters = new Map<number, Waiter>();
  /** Tickets whose offsets are not known yet, in the order they joined, each with the count of pieces taken by then. */
  private readonly joined = new Map<symbol, number>();
  /** Pieces that a ticket of `joined` may turn out to wait for, each with its number. */
  private unclaimed: { readonly number: number; readonly piece: DecidedPiece }[] = [];
  private pieceCount = 0;
  private ticketCount = 0;
  private cursor: number | undefined;
  private starting: Promise<number> | undefined;
  private running: Promise<void> | undefined;
  private idle = new AbortController();
  private closed = false;

  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
    private readonly partition: number,
  ) {}

  /** To be called before the append. Throws `LogUnavailableError` where the ledger's end cannot be read. */
  async join(): Promise<TailTicket> {
    const id = Symbol('ticket');
    this.ticketCount += 1;
    this.joined.set(id, this.pieceCount);
    try {
      const ledgerFrom = this.cursor ?? (await (this.starting ??= this.start()));
      return {
        ledgerFrom,
        decisions: (tenant, offsets, waitMs, onDecided) =>
          this.wait(id, new DecidedWrite(tenant, offsets), { offsets, waitMs, onDecided }),
        leave: () => {
          this.know(id);
          this.leave();
        },
      };
    } catch (error) {
      this.know(id);
      this.leave();
      throw error;
    }
  }

  /** Ends every wait and the reading. */
  async close(): Promise<void> {
    this.closed = true;
    for (const { done } of this.waiters.values()) done.abort();
    this.idle.abort();
    await this.running;
  }

  private async start(): Promise<number> {
    try {
      const { end } = await this.log.bounds('ledger', this.partition);
      this.cursor = end;
      this.running = this.run();
      return end;
    } finally {
      this.starting = undefined;
    }
  }

  private async wait(
    id: symbol,
    write: DecidedWrite,
    { offsets, waitMs, onDecided = () => undefined }: Wait,
  ): Promise<DecidedWrite> {
    for (const { piece } of this.unclaimed) write.add(piece);
    this.know(id);
    if (!write.isComplete && !this.closed) {
      const waiter: Waiter = { write, done: new AbortController() };
      for (const offset of offsets) this.waiters.set(offset, waiter);
      await this.clock.sleep(waitMs, waiter.done.signal);
      for (const offset of offsets) this.waiters.delete(offset);
    }
    const end = (): void => {
      this.leave();
      onDecided();
    };
    if (write.isComplete || this.closed) end();
    else this.follow(write.rest(), offsets, end);
    return write;
  }

  /** Nobody waits for the answer any more, but until it is decided it is under way. */
  private follow(write: DecidedWrite, offsets: readonly number[], end: () => void): void {
    const waiter: Waiter = { write, done: new AbortController() };
    for (const offset of offsets) this.waiters.set(offset, waiter);
    const ended = (): void => {
      for (const offset of offsets) this.waiters.delete(offset);
      end();
    };
    waiter.done.signal.addEventListener('abort', ended, { once: true });
  }

  private async run(): Promise<void> {
    while (this.ticketCount > 0 && !this.closed) {
      try {
        await this.readOn(this.cursor ?? 0);
      } catch (error) {
        if (!(error instanceof LogUnavailableError)) throw error;
        this.logger.warn(`the ledger of partition ${this.partition} cannot be read: ${error.message}`);
        await this.clock.sleep(retryMs, this.idle.signal);
      }
    }
    this.cursor = undefined;
    this.running = undefined;
  }

  /** The wait comes first: a read that finds nothing costs as much as one that does. */
  private async readOn(from: number): Promise<void> {
    await this.log.waitFor('ledger', this.partition, from, idleMs, this.idle.signal);
    if (this.ticketCount === 0) return;
    const records = await this.log.read('ledger', this.partition, { from, limit: readLimit });
    for (const record of records) {
      this.take(record);
      this.cursor = record.offset + 1;
    }
  }

  private take(record: LogRecord): void {
    const piece = this.decode(record);
    if (piece === undefined) return;
    this.pieceCount += 1;
    const waiter = this.waiters.get(piece.offset);
    if (waiter === undefined) {
      if (this.joined.size > 0) this.unclaimed.push({ number: this.pieceCount, piece });
      return;
    }
    waiter.write.add(piece);
    if (waiter.write.isComplete) waiter.done.abort('decided');
  }

  private decode(record: LogRecord): DecidedPiece | undefined {
    return readPiece(record, ({ message }) =>
      this.logger.error(`ledger record ${this.partition}-${record.offset} is skipped: ${message}`),
    );
  }

  /** The ticket's offsets are known, or there are none: pieces kept for it alone are let go. */
  private know(id: symbol): void {
    this.joined.delete(id);
    const [oldest] = this.joined.values();
    if (oldest === undefined) this.unclaimed = [];
    else if ((this.unclaimed[0]?.number ?? Infinity) <= oldest) {
      this.unclaimed = this.unclaimed.filter(({ number }) => number > oldest);
    }
  }

  private leave(): void {
    this.ticketCount -= 1;
    if (this.ticketCount > 0) return;
    this.idle.abort('left');
    this.idle = new AbortController();
  }
}
