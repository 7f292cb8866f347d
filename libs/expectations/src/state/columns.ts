// The instants and content hashes of open expectations, in pages of plain numbers: a third of what they cost as fields.
import type { Hash } from '../hash.ts';
import { hashAt, putHash } from './hash-words.ts';

const ROWS = 64;
const INSTANTS = 7;
const WORDS = 4;

/** So many rows side by side. */
export class Page {
  private readonly instants: Float64Array;
  private readonly words: Int32Array;

  constructor(
    /** The number of its first row among all. */
    readonly start: number,
  ) {
    const buffer = new ArrayBuffer(ROWS * (INSTANTS * 8 + WORDS * 4));
    this.instants = new Float64Array(buffer, 0, ROWS * INSTANTS);
    this.words = new Int32Array(buffer, ROWS * INSTANTS * 8);
  }

  get(row: number, column: number): number {
    return this.instants[row * INSTANTS + column] ?? NaN;
  }

  put(row: number, column: number, value: number): void {
    this.instants[row * INSTANTS + column] = value;
  }

  hash(row: number): Hash {
    return hashAt(this.words, row * WORDS);
  }

  putHash(row: number, hash: Hash): void {
    putHash(this.words, row * WORDS, hash);
  }
}

/** Rows are given out and taken back; a row belongs to one open expectation. */
export class Columns {
  private readonly pages: Page[] = [];
  private readonly free: number[] = [];
  private used = 0;

  /** The number of a row that nobody has. */
  take(): number {
    const number = this.free.pop() ?? this.used++;
    if (number >= this.pages.length * ROWS) this.pages.push(new Page(this.pages.length * ROWS));
    return number;
  }

  /** The page that holds a row; within it the row is the number less the page's start. */
  pageOf(number: number): Page {
    const page = this.pages[Math.floor(number / ROWS)];
    if (page === undefined) throw new Error(`assertion broken: row ${number} must have been taken`);
    return page;
  }

  giveBack(number: number): void {
    this.free.push(number);
  }
}
