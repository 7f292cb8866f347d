// What has been fetched of one partition ahead of those who follow it: a run without a gap, bounded on both sides. It must
// never answer for an offset that it has not looked at.
import { boundedRead, type LogRecord, type ReadOptions } from '#event-log';
import type { Fetched } from './fetched.ts';

/** Fetching rests while so much is not yet asked for. */
const AHEAD_BYTES = 4 * 1024 * 1024;
/** So much is kept of what the first has read, for those who follow a little behind. */
const BEHIND_BYTES = 512 * 1024;

export class TailBuffer {
  #records: LogRecord[] = [];
  #bytes = 0;
  /** All that the partition has from here to `#next` is in `#records`. */
  #first: number;
  #next: number;
  /** How far the furthest reader has come, and what lies before it. */
  #readUpTo: number;
  #readCount = 0;
  #readBytes = 0;

  constructor(from: number) {
    this.#first = from;
    this.#next = from;
    this.#readUpTo = from;
  }

  /** Where to fetch on. */
  get next(): number {
    return this.#next;
  }

  get isFull(): boolean {
    return this.#bytes - this.#readBytes >= AHEAD_BYTES;
  }

  /** Somebody wants what comes from there on: where that lies past what is here, it begins anew there. */
  want(from: number): void {
    if (from > this.#next) {
      this.#records = [];
      this.#bytes = this.#readCount = this.#readBytes = 0;
      this.#first = this.#next = this.#readUpTo = from;
    } else if (from > this.#readUpTo) this.#moveTo(from);
  }

  /** The first offset from there on at which there may be a record. */
  seek(from: number): number {
    if (from < this.#first || from >= this.#next) return from;
    return this.#records[this.#indexOf(from)]?.offset ?? this.#next;
  }

  /** What was fetched from `next` on. */
  add({ records, next }: Fetched): void {
    for (const record of records) {
      this.#records.push(record);
      this.#bytes += record.value.byteLength;
    }
    this.#next = next;
  }

  /** As `EventLog.read`; undefined where the broker has to be asked, which it need not be past the last record. */
  read({ from, limit }: ReadOptions): readonly LogRecord[] | undefined {
    if (from < this.#first || from >= this.#next) return undefined;
    const read = boundedRead(this.#records, this.#indexOf(from), limit);
    const last = read.at(-1);
    this.want(last === undefined ? this.#next : last.offset + 1);
    return read;
  }

  /** What was let go of is not to be shown from here either. */
  trim(before: number): void {
    if (before <= this.#first) return;
    this.want(before);
    this.#forget(this.#indexOf(before));
    this.#first = before;
  }

  #moveTo(from: number): void {
    this.#readUpTo = from;
    const read = this.#indexOf(from);
    for (; this.#readCount < read; this.#readCount += 1) this.#readBytes += this.#bytesAt(this.#readCount);
    // Half of it at a time, so that what is kept is not moved for each record.
    if (this.#readBytes <= 2 * BEHIND_BYTES) return;
    let count = 0;
    for (let kept = this.#readBytes; kept > BEHIND_BYTES; count += 1) kept -= this.#bytesAt(count);
    this.#forget(count);
  }

  /** The oldest so many, all of them read. */
  #forget(count: number): void {
    if (count === 0) return;
    for (let index = 0; index < count; index += 1) {
      this.#bytes -= this.#bytesAt(index);
      this.#readBytes -= this.#bytesAt(index);
    }
    this.#first = (this.#records[count - 1]?.offset ?? this.#first) + 1;
    this.#records = this.#records.slice(count);
    this.#readCount -= count;
  }

  #bytesAt(index: number): number {
    return this.#records[index]?.value.byteLength ?? 0;
  }

  /** The first record at or past the offset, by bisection. */
  #indexOf(offset: number): number {
    let low = 0;
    let high = this.#records.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#records[middle]?.offset ?? Infinity) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
