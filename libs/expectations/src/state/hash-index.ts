// From a hash to positions in a ring: open addressing in many small tables, each growing alone, so that no
// single insertion rehashes more than a two-hundred-fifty-sixth of it.

/** Positions are stored modulo this, plus one; 0 is an empty place. */
const MODULUS = 0xffff_fffe;
const SHARDS = 256;
const SMALLEST = 8;

/** The ring the positions point into. */
export interface Indexed {
  readonly start: number;
  /** The 32-bit hash under which the entry was inserted. */
  hashAt(position: number): number;
}

export class HashIndex {
  private readonly shards: (Uint32Array | undefined)[] = [];
  private readonly counts: number[] = [];

  constructor(private readonly entries: Indexed) {}

  /** The first position under `hash` that `matches`, or -1. */
  find(hash: number, matches: (position: number) => boolean): number {
    const shard = this.shards[hash >>> 24];
    if (shard === undefined) return -1;
    const mask = shard.length - 1;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const stored = shard[place] ?? 0;
      if (stored === 0) return -1;
      const position = this.decode(stored);
      if (matches(position)) return position;
    }
  }

  insert(hash: number, position: number): void {
    const number = hash >>> 24;
    let shard = this.shards[number];
    const count = (this.counts[number] ?? 0) + 1;
    if (shard === undefined) shard = this.createShard(number);
    else if (count * 4 > shard.length * 3) shard = this.growShard(number, shard);
    this.counts[number] = count;
    place(shard, hash, (position % MODULUS) + 1);
  }

  /** Takes an entry out that is still in its ring. */
  remove(hash: number, position: number): void {
    const number = hash >>> 24;
    const shard = this.shards[number];
    if (shard === undefined) return;
    const mask = shard.length - 1;
    const stored = (position % MODULUS) + 1;
    let hole = hash & mask;
    while (shard[hole] !== stored) {
      if (shard[hole] === 0) return;
      hole = (hole + 1) & mask;
    }
    this.counts[number] = (this.counts[number] ?? 1) - 1;
    this.closeHole(shard, hole);
  }

  /** Moves back what a removal would otherwise cut off from where its search begins. */
  private closeHole(shard: Uint32Array, at: number): void {
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

  private createShard(number: number): Uint32Array {
    while (this.shards.length < SHARDS) {
      this.shards.push(undefined);
      this.counts.push(0);
    }
    const shard = new Uint32Array(SMALLEST);
    this.shards[number] = shard;
    return shard;
  }

  private growShard(number: number, shard: Uint32Array): Uint32Array {
    const larger = new Uint32Array(shard.length * 2);
    for (const stored of shard) {
      if (stored !== 0) place(larger, this.entries.hashAt(this.decode(stored)), stored);
    }
    this.shards[number] = larger;
    return larger;
  }

  private decode(stored: number): number {
    const { start } = this.entries;
    const ahead = (stored - 1 - (start % MODULUS) + MODULUS) % MODULUS;
    return start + ahead;
  }
}

function place(shard: Uint32Array, hash: number, stored: number): void {
  const mask = shard.length - 1;
  let at = hash & mask;
  while (shard[at] !== 0) at = (at + 1) & mask;
  shard[at] = stored;
}
