// A ring is a list to whose end one adds and from whose front one forgets; nothing else moves.
import fc from 'fast-check';
import { CHUNK, type Chunk, Ring } from './ring.ts';
import { grown } from './uint48.ts';

class Numbers implements Chunk {
  numbers: Uint32Array;

  constructor(capacity: number) {
    this.numbers = new Uint32Array(capacity);
  }

  grow(capacity: number): void {
    this.numbers = grown(this.numbers, capacity);
  }
}

function add(ring: Ring<Numbers>, number: number): number {
  const position = ring.append();
  ring.chunkOf(position).numbers[position % CHUNK] = number;
  return position;
}

function contents(ring: Ring<Numbers>): number[] {
  const numbers: number[] = [];
  for (let position = ring.start; position < ring.end; position += 1) {
    numbers.push(ring.chunkOf(position).numbers[position % CHUNK] ?? -1);
  }
  return numbers;
}

it('holds what a list would, whatever is added and forgotten', () => {
  const steps = fc.array(fc.record({ addCount: fc.nat(700), dropCount: fc.nat(700) }), { maxLength: 12 });
  const starts = fc.constantFrom(0, 1, CHUNK - 1, CHUNK, 5 * CHUNK + 7, 2 ** 32 - 3);
  fc.assert(
    fc.property(starts, steps, (start, drawn) => {
      const ring = new Ring((capacity) => new Numbers(capacity));
      ring.restartAt(start);
      const list: number[] = [];
      let firstPosition = start;
      let number = 0;
      for (const { addCount, dropCount } of drawn) {
        for (let added = 0; added < addCount; added += 1) {
          number += 1;
          expect(add(ring, number)).toBe(firstPosition + list.length);
          list.push(number);
        }
        for (let dropped = 0; dropped < dropCount && list.length > 0; dropped += 1) {
          ring.dropFirst();
          list.shift();
          firstPosition += 1;
        }
        expect(ring.length).toBe(list.length);
        expect(contents(ring)).toEqual(list);
      }
    }),
    { numRuns: 60, seed: 1 },
  );
});

it('knows no position outside it', () => {
  const ring = new Ring((capacity) => new Numbers(capacity));
  expect(() => ring.chunkOf(0)).toThrow('position 0 must be within the ring');
  for (let number = 0; number <= CHUNK; number += 1) add(ring, number);
  for (let number = 0; number < CHUNK; number += 1) ring.dropFirst();
  expect(() => ring.chunkOf(0)).toThrow('position 0 must be within the ring');
  expect(contents(ring)).toEqual([CHUNK]);
});
