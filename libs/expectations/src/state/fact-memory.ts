// Facts seen before, by identity: those that have satisfied nothing yet, and those that have (semantics, *Memory*).
import type { Hash } from '../hash.ts';
import { HashIndex } from './hash-index.ts';
import { CHUNK, Ring } from './ring.ts';
import { grown, NONE, Uint48Array } from './uint48.ts';

class FactChunk {
  words: Uint32Array;
  readonly at: Uint48Array;
  readonly numbers: Uint48Array;

  constructor(capacity: number) {
    this.words = new Uint32Array(capacity * 4);
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

/** Facts in the order of an instant each was given; an entry taken out leaves a gap until it would be forgotten. */
export class FactMemory {
  /** How many are remembered, gaps not counted. */
  count = 0;
  private readonly ring = new Ring((capacity) => new FactChunk(capacity));
  private readonly index: HashIndex;

  constructor() {
    const { ring } = this;
    this.index = new HashIndex({
      get start() {
        return ring.start;
      },
      hashAt: (position) => ring.chunkOf(position).words[(position % CHUNK) * 4] ?? 0,
    });
  }

  add(hash: Hash, atMs: number, number: number): void {
    const position = this.ring.append();
    const chunk = this.ring.chunkOf(position);
    const row = position % CHUNK;
    chunk.words[row * 4] = hash.a;
    chunk.words[row * 4 + 1] = hash.b;
    chunk.words[row * 4 + 2] = hash.c;
    chunk.words[row * 4 + 3] = hash.d;
    chunk.at.set(row, atMs);
    chunk.numbers.set(row, number);
    this.index.insert(hash.a, position);
    this.count += 1;
  }

  /** The entry's position, or -1. */
  find(hash: Hash): number {
    if (this.count === 0) return -1;
    return this.index.find(hash.a, (position) => {
      const { words } = this.ring.chunkOf(position);
      const at = (position % CHUNK) * 4;
      return words[at] === hash.a && words[at + 1] === hash.b && words[at + 2] === hash.c && words[at + 3] === hash.d;
    });
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
  }

  /** Forgets from the oldest on while `isOver` says so of its instant, or while there are more than `most`. */
  forget(isOver: (atMs: number) => boolean, most: number): void {
    while (this.ring.length > 0) {
      const at = this.atOf(this.ring.start);
      if (at !== NONE) {
        if (this.count <= most && !isOver(at)) return;
        this.remove(this.ring.start);
      }
      this.ring.dropFirst();
    }
  }

  /** What is remembered, oldest first. */
  *rows(): Generator<FactRow> {
    for (let position = this.ring.start; position < this.ring.end; position += 1) {
      const { words } = this.ring.chunkOf(position);
      const at = this.atOf(position);
      const word = (position % CHUNK) * 4;
      if (at === NONE) continue;
      yield [
        words[word] ?? 0,
        words[word + 1] ?? 0,
        words[word + 2] ?? 0,
        words[word + 3] ?? 0,
        at,
        this.numberOf(position),
      ];
    }
  }
}
