// One partition of one topic in memory: a list whose index is the offset.
import assert from 'node:assert/strict';
import { type LogRecord, MAX_READ_BYTES, type NewRecord, type ReadOptions } from '../port.ts';

export class MemoryPartition {
  readonly #records: LogRecord[] = [];

  get end(): number {
    return this.#records.length;
  }

  /** The offsets given, in order. The values are copied, as any store would. */
  append(records: readonly NewRecord[], appendedAt: number): number[] {
    return records.map(({ tenant, value }) => {
      const offset = this.#records.length;
      this.#records.push({ offset, appendedAt, tenant, value: value.slice() });
      return offset;
    });
  }

  read({ from, limit }: ReadOptions): readonly LogRecord[] {
    assert(from >= 0 && limit > 0, 'a read begins at an offset and wants at least one record');
    const wanted = this.#records.slice(from, from + limit);
    let bytes = 0;
    const last = wanted.findIndex(({ value }) => (bytes += value.byteLength) >= MAX_READ_BYTES);
    return last === -1 ? wanted : wanted.slice(0, last + 1);
  }
}
