// Chance of a seed: the same seed draws the same. Nothing in a simulated run may draw from anywhere else.

/** Draws from one stream. Streams of one seed under other names have nothing in common. */
export class Chance {
  private state: number;

  constructor(seed: number, stream: string) {
    this.state = seed | 0;
    for (let index = 0; index < stream.length; index += 1) {
      this.state = Math.imul(this.state ^ stream.charCodeAt(index), 0x01000193);
    }
  }

  /** From 0 inclusive to 1 exclusive (mulberry32). */
  fraction(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** True with the probability. */
  happens(probability: number): boolean {
    return probability > 0 && this.fraction() < probability;
  }

  /** A whole number from 0 to `count` exclusive. */
  below(count: number): number {
    return Math.floor(this.fraction() * count);
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** Of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    const picked = list[this.below(list.length)];
    if (picked === undefined) throw new Error('a pick needs something to pick from');
    return picked;
  }
}
