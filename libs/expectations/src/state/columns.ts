// The instants of open expectations, in pages of plain numbers: a third of what they would cost as fields.

const ROWS = 64;
const WIDTH = 7;

/** Rows are given out and taken back; a row belongs to one open expectation. */
export class Columns {
  private readonly pages: Float64Array[] = [];
  private readonly free: number[] = [];
  private used = 0;

  take(): number {
    const row = this.free.pop() ?? this.used++;
    if (row >= this.pages.length * ROWS) this.pages.push(new Float64Array(ROWS * WIDTH));
    return row;
  }

  giveBack(row: number): void {
    this.free.push(row);
  }

  get(row: number, column: number): number {
    return this.pages[(row / ROWS) | 0]?.[(row % ROWS) * WIDTH + column] ?? NaN;
  }

  put(row: number, column: number, value: number): void {
    const page = this.pages[(row / ROWS) | 0];
    if (page !== undefined) page[(row % ROWS) * WIDTH + column] = value;
  }

  set(row: number, values: readonly number[]): void {
    this.pages[(row / ROWS) | 0]?.set(values, (row % ROWS) * WIDTH);
  }
}
