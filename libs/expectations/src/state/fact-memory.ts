// Facts seen before, by identity: those that have satisfied nothing yet, and those that have (semantics, *Memory*).
import type { Hash } from '../hash.ts';
import { HashIndex } from './hash-index.ts';
import { hashAt, isHashAt, putHash } from './hash-words.ts';
import { CHUNK, Ring } from './ring.ts';
import { grown, NONE, Uint48Array } from './uint48.ts';

class FactChunk {
  words: Int32Array;
  readonly at: Uint48Array;
  readonly numbers: Uint48Array;

  constructor(capacity: number) {
    this.words = new Int32Array(capacity * 4);
    this.at = new Uint48Array(capacity);
    this.numbers = new Uint48Array(capacity);
  }

  grow(capacity: number): void {
    this.words = grown(this.words, capacity * 4);
    this.at.grow(capacity);
    this.numbers.grow(capacity);
  }
}

/** An entry as it is kept in a snapshot: the hash's words, the instant, the fact's number. */
export type FactRow = readonly [number, number, number, number, number, number];

/** Facts in the order of an instant each was given; an entry taken out leaves a gap until it is the oldest. */
export class FactMemory {
  /** How many are remembered, gaps not counted. */
  count = 0;
  private readonly ring = new Ring((capacity) => new FactChunk(capacity));
  private readonly index: HashIndex<Hash>;

  constructor() {
    const { ring } = this;
    this.index = new HashIndex({
      get start() {
        return ring.start;
      },
      hashAt: (position) => ring.chunkOf(position).words[(position % CHUNK) * 4] ?? 0,
      matches: (position, hash) => isHashAt(ring.chunkOf(position).words, (position % CHUNK) * 4, hash),
    });
  }

  add(hash: Hash, atMs: number, number: number): void {
    const position = this.ring.append();
    const chunk = this.ring.chunkOf(position);
    const row = position % CHUNK;
    putHash(chunk.words, row * 4, hash);
    chunk.at.set(row, atMs);
    chunk.numbers.set(row, number);
    this.index.insert(hash.a, position);
    this.count += 1;
  }

  /** The entry's position, or -1. */
  find(hash: Hash): number {
    return this.count === 0 ? -1 : this.index.find(hash.a, hash);
  }

  /** True where just this fact is remembered, not another recorded after it was forgotten. */
  has(hash: Hash, number: number): boolean {
    const position = this.find(hash);
    return position >= 0 && this.numberOf(position) === number;
  }

  atOf(position: number): number {
    return this.ring.chunkOf(position).at.get(position % CHUNK);
  }

  numberOf(position: number): number {
    return this.ring.chunkOf(position).numbers.get(position % CHUNK);
  }

  remove(position: number): void {
    this.index.remove(this.ring.chunkOf(position).words[(position % CHUNK) * 4] ?? 0, position);
    this.ring.chunkOf(position).at.set(position % CHUNK, NONE);
    this.count -= 1;
    while (this.ring.length > 0 && this.atOf(this.ring.start) === NONE) this.ring.dropFirst();
  }

  /** The instant of the oldest; Infinity where there is none. */
  get oldestAt(): number {
    return this.ring.length === 0 ? Infinity : this.atOf(this.ring.start);
  }

  dropOldest(): void {
    this.remove(this.ring.start);
  }

  /** What is remembered, oldest first. */
  *rows(): Generator<FactRow> {
    for (let position = this.ring.start; position < this.ring.end; position += 1) {
      const { words } = this.ring.chunkOf(position);
      const at = this.atOf(position);
      if (at === NONE) continue;
      const { a, b, c, d } = hashAt(words, (position % CHUNK) * 4);
      yield [a, b, c, d, at, this.numberOf(position)];
    }
  }
}
