// What every ledger writer keeps to, whatever the store: one append after the other, and none after a failed one.
import assert from 'node:assert/strict';
import { type Appended, FencedError, type LedgerWriter, LogUnavailableError, type NewRecord } from './port.ts';

/** A writer over a store's own append, which checks the epoch and is atomic. */
export class SerialLedgerWriter implements LedgerWriter {
  readonly partition: number;
  readonly epoch: number;
  readonly #appendAtomically: (records: readonly NewRecord[]) => Promise<Appended>;
  #last: Promise<unknown> = Promise.resolve();
  #over: Error | undefined;

  constructor(
    partition: number,
    epoch: number,
    appendAtomically: (records: readonly NewRecord[]) => Promise<Appended>,
  ) {
    this.partition = partition;
    this.epoch = epoch;
    this.#appendAtomically = appendAtomically;
  }

  async append(records: readonly NewRecord[]): Promise<Appended> {
    assert(records.length > 0, 'an append has at least one record');
    const appended = this.#last.then(() => this.#append(records));
    // The failure is its caller's; whoever comes next learns of it from `#over`.
    this.#last = appended.catch(() => undefined);
    return appended;
  }

  async release(): Promise<void> {
    await this.#last;
    this.#over = new FencedError(`the writer of partition ${this.partition} has given it up`);
  }

  async #append(records: readonly NewRecord[]): Promise<Appended> {
    if (this.#over !== undefined) throw this.#over;
    try {
      return await this.#appendAtomically(records);
    } catch (cause) {
      this.#over =
        cause instanceof FencedError
          ? cause
          : new LogUnavailableError('an earlier append of this writer failed: open another', { cause });
      throw cause;
    }
  }
}
