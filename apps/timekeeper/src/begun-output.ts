// What the ledger already has of an input whose output a crash cut short. The input is decided again as a whole; it
// must never say anything else than it has said.
import assert from 'node:assert/strict';
import type { LedgerEntry } from '#event-log';

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

  /** What is still to be written of the output that the inbox record at `offset` has. Inputs come in order. */
  restOf(output: readonly LedgerEntry[], offset: number): readonly LedgerEntry[] {
    const [first] = this.entries;
    if (first === undefined) return output;
    if (offset < first.offset) {
      assert(output.length === 0, 'what stands in the inbox before a begun output has none of its own');
      return output;
    }
    const begun = this.take();
    begun.forEach((entry, index) => {
      assert.deepEqual(plain(output[index]), entry, 'an input decided again must say what it said before');
    });
    return output.slice(begun.length);
  }
}

/** As it would be read back. */
function plain(entry: LedgerEntry | undefined): unknown {
  return JSON.parse(JSON.stringify(entry ?? null)) as unknown;
}
