// A subject while anything on it is open: its silence, and the latest observation since each was raised.
import type { Expectation } from './expectation.ts';

/** What most subjects have: it is replaced, never added to. */
const none: number[] = [];

export class Subject {
  open: Expectation[] = [];
  /** The number of the latest fact recorded on it; 0 for none. */
  lastFact = 0;
  /** How many facts there were at its latest satisfaction, and when that was (-Infinity for never). */
  satisfiedAtFact = 0;
  satisfiedAt = -Infinity;
  /** Expectations whose horizon passed while a fact had broken the silence: a satisfaction starts it anew. */
  unsilenced: Set<Expectation> | null = null;
  /** Fact numbers, rising, and observations, falling: the latest observation from each number on. */
  private numbers = none;
  private observed = none;
  /** How many facts there were when the latest expectation on it was recorded. */
  private raisedAtFact = 0;

  constructor(
    readonly type: string,
    readonly id: string,
  ) {}

  /** An expectation is recorded on it when there are so many facts: what is reported later has to be told apart. */
  raise(factCount: number): void {
    this.raisedAtFact = factCount;
  }

  /** A fact is recorded on it; `number` may be an earlier one's (an early fact counts as of its receipt). */
  record(number: number, observedAt: number): void {
    if (number > this.lastFact) this.lastFact = number;
    const { numbers, observed } = this;
    const last = numbers.length - 1;
    if (last < 0) {
      this.numbers = [number];
      this.observed = [observedAt];
    } else if (number > (numbers[last] ?? 0) && (numbers[last] ?? 0) > this.raisedAtFact) {
      this.replaceLast(number, Math.max(observedAt, observed[last] ?? 0));
    } else {
      this.insert(number, observedAt);
    }
    if (numbers.length > 2 * this.open.length + 8) this.compact();
  }

  /** The latest observation among the facts numbered above `number`, or undefined. */
  latestSince(number: number): number | undefined {
    let low = 0;
    let high = this.numbers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.numbers[middle] ?? 0) > number) high = middle;
      else low = middle + 1;
    }
    return this.observed[low];
  }

  /** For a snapshot. */
  rows(): { readonly numbers: readonly number[]; readonly observed: readonly number[]; readonly raisedAtFact: number } {
    return { numbers: this.numbers, observed: this.observed, raisedAtFact: this.raisedAtFact };
  }

  restore(numbers: readonly number[], observed: readonly number[], raisedAtFact: number): void {
    this.numbers = numbers.length === 0 ? none : [...numbers];
    this.observed = observed.length === 0 ? none : [...observed];
    this.raisedAtFact = raisedAtFact;
  }

  private replaceLast(number: number, observedAt: number): void {
    const last = this.numbers.length - 1;
    if (last === 0) {
      this.numbers[0] = number;
      this.observed[0] = observedAt;
      return;
    }
    this.numbers.pop();
    this.observed.pop();
    this.insert(number, observedAt);
  }

  /** Keeps the observations falling: an earlier entry not above a later one says nothing. */
  private insert(number: number, observedAt: number): void {
    let at = this.numbers.length;
    while (at > 0 && (this.numbers[at - 1] ?? 0) > number) at -= 1;
    if (at < this.numbers.length && (this.observed[at] ?? 0) >= observedAt) return;
    let from = at;
    while (from > 0 && (this.observed[from - 1] ?? 0) <= observedAt) from -= 1;
    this.numbers.splice(from, at - from, number);
    this.observed.splice(from, at - from, observedAt);
  }

  /** Drops what no open expectation can tell apart: of each run between two raisings only the first says anything. */
  private compact(): void {
    const raisings = this.open.map((expectation) => expectation.raisedAtFact).sort((left, right) => left - right);
    const kept: number[] = [];
    let raising = 0;
    for (let index = 0; index < this.numbers.length; index += 1) {
      const number = this.numbers[index] ?? 0;
      let isFirstSince = false;
      while (raising < raisings.length && (raisings[raising] ?? 0) < number) {
        isFirstSince = true;
        raising += 1;
      }
      if (isFirstSince) kept.push(index);
    }
    this.numbers = kept.map((index) => this.numbers[index] ?? 0);
    this.observed = kept.map((index) => this.observed[index] ?? 0);
  }
}
