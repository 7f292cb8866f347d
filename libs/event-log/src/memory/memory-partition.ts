// One partition of one topic in memory: a list of records whose offsets are dense.
import assert from 'node:assert/strict';
import { boundedRead } from '../bounded-read.ts';
import { type LogRecord, type NewRecord, type ReadOptions, type TrimOptions } from '../port.ts';

export class MemoryPartition {
  #records: LogRecord[] = [];
  /** The offset of the first record kept. */
  #earliest = 0;

  get earliest(): number {
    return this.#earliest;
  }

  get end(): number {
    return this.#earliest + this.#records.length;
  }

  /** The offsets given, in order. The values are copied, as any store would. */
  append(records: readonly NewRecord[], appendedAt: number): number[] {
    return records.map(({ tenant, value }) => {
      const offset = this.end;
      this.#records.push({ offset, appendedAt, tenant, value: value.slice() });
      return offset;
    });
  }

  trim({ before, appendedBefore }: TrimOptions): void {
    const kept = this.#records.findIndex(({ offset, appendedAt }) => offset >= before || appendedAt >= appendedBefore);
    const count = kept === -1 ? this.#records.length : kept;
    this.#records = this.#records.slice(count);
    this.#earliest += count;
  }

  read({ from, limit }: ReadOptions): readonly LogRecord[] {
    assert(from >= 0 && limit > 0, 'a read begins at an offset and wants at least one record');
    const start = Math.max(0, from - this.#earliest);
    return boundedRead(this.#records, start, limit);
  }
}
