// A hash index finds what a `Map` would: under equal hashes, after removals, and wherever its ring starts.
import fc from 'fast-check';
import { HashIndex } from './hash-index.ts';

interface Entry {
  readonly hash: number;
  readonly key: string;
}

/** A ring of entries, and beside it the naive way: a `Map` from key to position. */
class Stage {
  readonly entries = new Map<number, Entry>();
  readonly naive = new Map<string, number>();
  readonly index: HashIndex<string>;
  private end: number;

  constructor(public start: number) {
    this.end = start;
    const startOf = (): number => this.start;
    this.index = new HashIndex<string>({
      get start() {
        return startOf();
      },
      hashAt: (position) => this.entryAt(position).hash,
      matches: (position, key) => this.entryAt(position).key === key,
    });
  }

  add(entry: Entry): void {
    const position = this.end;
    this.end += 1;
    this.entries.set(position, entry);
    if (this.naive.has(entry.key)) return;
    this.naive.set(entry.key, position);
    this.index.insert(entry.hash, position);
  }

  /** Takes out what stands at the place among all, counted from the oldest. */
  remove(place: number): void {
    const [key, position] = [...this.naive][place % Math.max(1, this.naive.size)] ?? [];
    if (key === undefined || position === undefined) return;
    this.naive.delete(key);
    this.index.remove(this.entryAt(position).hash, position);
  }

  /** Forgets the oldest of the ring, in it still or not. */
  dropFirst(): void {
    const oldest = this.entries.get(this.start);
    if (oldest === undefined) return;
    if (this.naive.get(oldest.key) === this.start) {
      this.naive.delete(oldest.key);
      this.index.remove(oldest.hash, this.start);
    }
    this.entries.delete(this.start);
    this.start += 1;
  }

  private entryAt(position: number): Entry {
    const entry = this.entries.get(position);
    if (entry === undefined) throw new Error(`the index asks for ${position}, which is not in the ring`);
    return entry;
  }
}

// Few hashes, so that they collide and share their shard; one in some is anything.
const hashes = fc.oneof(fc.constantFrom(0, 1, 2, 7, 8, -1, 0x0100_0000), fc.integer());
const entries = fc.record({ hash: hashes, key: fc.integer({ min: 0, max: 60 }).map((key) => `key ${key}`) });
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: entries.map((entry) => (stage: Stage) => stage.add(entry)) },
    { weight: 3, arbitrary: fc.nat().map((place) => (stage: Stage) => stage.remove(place)) },
    { weight: 2, arbitrary: fc.constant((stage: Stage) => stage.dropFirst()) },
  ),
  { maxLength: 120 },
);

it('finds what a Map would, whatever is added, taken out and forgotten', () => {
  const starts = fc.constantFrom(0, 1, 2 ** 27 - 40, 2 ** 31 - 40, 2 ** 32 - 40, 2 ** 48);
  fc.assert(
    fc.property(starts, steps, (start, drawn) => {
      const stage = new Stage(start);
      const hashOf = new Map<string, number>();
      for (const step of drawn) step(stage);
      for (const { hash, key } of stage.entries.values()) if (!hashOf.has(key)) hashOf.set(key, hash);
      for (const [key, position] of stage.naive) {
        expect(stage.index.find(stage.entries.get(position)!.hash, key)).toBe(position);
      }
      for (const [key, hash] of hashOf) {
        if (!stage.naive.has(key)) expect(stage.index.find(hash, key)).toBe(-1);
      }
      expect(stage.index.find(3, 'never added')).toBe(-1);
    }),
    { numRuns: 400, seed: 1 },
  );
});

it('grows and shrinks, and finds all that is left', () => {
  const stage = new Stage(2 ** 32 - 500);
  const entry = (number: number): Entry => ({ hash: Math.imul(number, 0x9e37_79b1), key: `key ${number}` });
  for (let number = 0; number < 5_000; number += 1) stage.add(entry(number));
  for (let number = 0; number < 4_900; number += 1) stage.dropFirst();
  const found = Array.from({ length: 5_000 }, (_, number) => {
    const { hash, key } = entry(number);
    return stage.index.find(hash, key);
  });
  expect(found.map((position) => position - (2 ** 32 - 500))).toEqual(
    Array.from({ length: 5_000 }, (_, number) => (number < 4_900 ? -1 - (2 ** 32 - 500) : number)),
  );
});
