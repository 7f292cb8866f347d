// What the ledger already has of an input whose output a crash cut short. The input is decided again as a whole; it
// must never say anything else than it has said.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { LedgerEntry, LedgerEvent } from '#event-log';

export class BegunOutput {
  private entries: LedgerEntry[] = [];

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  /** The next record of the output. */
  add(entry: LedgerEntry): void {
    const [first] = this.entries;
    assert(first === undefined || entry.offset === first.offset, 'an output is written to its end before the next');
    this.entries.push(entry);
  }

  /** All its records; afterwards nothing is begun. */
  take(): readonly LedgerEntry[] {
    const { entries } = this;
    this.entries = [];
    return entries;
  }

  /** What is begun of a tenant's. */
  eventsOf(tenant: string): readonly LedgerEvent[] {
    return this.entries.filter((entry) => entry.tenant === tenant).flatMap(({ events }) => events);
  }

  /** What of a record is still to be written, decided again for an inbox record; undefined where all of it is. */
  restOf(entry: LedgerEntry): LedgerEntry | undefined {
    const [next] = this.entries;
    if (next === undefined) return entry;
    assert(entry.offset === next.offset, 'what stands in the inbox before a begun output has none of its own');
    // What they say is a customer's: it must not end in the process's log.
    assert(isDeepStrictEqual(plain(entry), next), `the input at ${entry.offset}, decided again, must say what it said`);
    this.entries.shift();
    return undefined;
  }

  /** To be called when the input at `offset` is decided to its end: nothing of it may be left. */
  assertDone(offset: number): void {
    const [next] = this.entries;
    assert(next === undefined || next.offset > offset, 'an input decided again must say all that it said before');
  }
}

/** As it would be read back. */
function plain(entry: LedgerEntry): unknown {
  return JSON.parse(JSON.stringify(entry)) as unknown;
}
