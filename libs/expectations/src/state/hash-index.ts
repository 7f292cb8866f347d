// From a hash to positions in a ring: open addressing in many small tables, each growing alone, so that no
// single insertion or removal rehashes more than a two-hundred-fifty-sixth of it.
import { assert } from '../unreachable.ts';

// A place holds the lowest bits of a position, four bits of the hash, so that an entry is rarely looked at in vain, and
// one that says it is taken; 0 is an empty place.
const POSITION_BITS = 0x07ff_ffff;
const TAG_BITS = 0x7800_0000;
const TAG_SHIFT = 7;
const TAKEN = 0x8000_0000 | 0;
const SHARDS = 256;
const SMALLEST = 8;

/** The ring the positions point into, and what its entries are looked for by. */
export interface Indexed<K> {
  readonly start: number;
  /** The 32-bit hash under which the entry was inserted. */
  hashAt(position: number): number;
  /** Whether the entry is the one looked for. */
  matches(position: number, key: K): boolean;
}

export class HashIndex<K> {
  private readonly shards: (Int32Array | undefined)[] = [];
  private readonly counts: number[] = [];

  constructor(private readonly entries: Indexed<K>) {}

  /** The first position under `hash` that matches, or -1. */
  find(hash: number, key: K): number {
    const shard = this.shards[hash >>> 24];
    if (shard === undefined) return -1;
    const mask = shard.length - 1;
    const mark = markOf(hash);
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const stored = shard[place] ?? 0;
      if (stored === 0) return -1;
      if ((stored & ~POSITION_BITS) !== mark) continue;
      const position = this.decode(stored);
      if (this.entries.matches(position, key)) return position;
    }
  }

  insert(hash: number, position: number): void {
    assert(position - this.entries.start <= POSITION_BITS, 'a place must tell all positions of the ring apart');
    const number = hash >>> 24;
    let shard = this.shards[number];
    const count = (this.counts[number] ?? 0) + 1;
    if (shard === undefined) shard = this.createShard(number);
    else if (count * 4 > shard.length * 3) shard = this.resizeShard(number, shard, shard.length * 2);
    this.counts[number] = count;
    place(shard, hash, (position & POSITION_BITS) | markOf(hash));
  }

  /** Takes an entry out that is still in its ring. */
  remove(hash: number, position: number): void {
    const number = hash >>> 24;
    const shard = this.shards[number];
    if (shard === undefined) return;
    const mask = shard.length - 1;
    const stored = (position & POSITION_BITS) | markOf(hash);
    let hole = hash & mask;
    while (shard[hole] !== stored) {
      if (shard[hole] === 0) return;
      hole = (hole + 1) & mask;
    }
    const count = (this.counts[number] ?? 1) - 1;
    this.counts[number] = count;
    this.closeHole(shard, hole);
    if (count * 8 < shard.length && shard.length > SMALLEST) this.resizeShard(number, shard, shard.length / 2);
  }

  /** Moves back what a removal would otherwise cut off from where its search begins. */
  private closeHole(shard: Int32Array, at: number): void {
    const mask = shard.length - 1;
    let hole = at;
    shard[hole] = 0;
    for (let next = (hole + 1) & mask; ; next = (next + 1) & mask) {
      const stored = shard[next] ?? 0;
      if (stored === 0) return;
      const home = this.entries.hashAt(this.decode(stored)) & mask;
      if (((next - home) & mask) < ((next - hole) & mask)) continue;
      shard[hole] = stored;
      shard[next] = 0;
      hole = next;
    }
  }

  private createShard(number: number): Int32Array {
    while (this.shards.length < SHARDS) {
      this.shards.push(undefined);
      this.counts.push(0);
    }
    const shard = new Int32Array(SMALLEST);
    this.shards[number] = shard;
    return shard;
  }

  private resizeShard(number: number, shard: Int32Array, length: number): Int32Array {
    const resized = new Int32Array(length);
    for (const stored of shard) {
      if (stored !== 0) place(resized, this.entries.hashAt(this.decode(stored)), stored);
    }
    this.shards[number] = resized;
    return resized;
  }

  private decode(stored: number): number {
    const { start } = this.entries;
    return start + ((stored - start) & POSITION_BITS);
  }
}

/** What a place says of a hash beside the position: bits that choose neither the table nor, in most, the place. */
function markOf(hash: number): number {
  return ((hash << TAG_SHIFT) & TAG_BITS) | TAKEN;
}

function place(shard: Int32Array, hash: number, stored: number): void {
  const mask = shard.length - 1;
  let at = hash & mask;
  while (shard[at] !== 0) at = (at + 1) & mask;
  shard[at] = stored;
}
