// Whole numbers below 2^48 (epoch milliseconds, fact numbers) in six bytes each.

/** Stands for "none"; no instant before the year 9800 comes near it. */
export const NONE = 2 ** 48 - 1;

const HIGH = 2 ** 32;

/** A growable column. Reading beyond what was written gives 0. */
export class Uint48Array {
  low: Uint32Array;
  high: Uint16Array;

  constructor(capacity: number) {
    this.low = new Uint32Array(capacity);
    this.high = new Uint16Array(capacity);
  }

  get(index: number): number {
    return (this.high[index] ?? 0) * HIGH + (this.low[index] ?? 0);
  }

  set(index: number, value: number): void {
    this.low[index] = value % HIGH;
    this.high[index] = value / HIGH;
  }

  grow(capacity: number): void {
    this.low = grown(this.low, capacity);
    this.high = grown(this.high, capacity);
  }
}

/** A larger copy of a column. */
export function grown<A extends Uint8Array | Uint16Array | Uint32Array | Int32Array>(column: A, capacity: number): A {
  const larger = new (column.constructor as new (length: number) => A)(capacity);
  larger.set(column);
  return larger;
}
