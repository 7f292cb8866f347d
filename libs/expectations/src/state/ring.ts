// A first-in-first-out list in chunks: what is remembered in the order in which it will be forgotten.
// Growing never copies more than one chunk, so nothing stalls however much is remembered.

export const CHUNK = 1_024;
const SMALLEST = 16;

/** A chunk's columns; `grow` makes room for so many entries. */
export interface Chunk {
  grow(capacity: number): void;
}

/** Entries have absolute positions, from `start` (the oldest) up to `end` (exclusive). */
export class Ring<C extends Chunk> {
  start = 0;
  end = 0;
  private chunks: C[] = [];
  private firstChunk = 0;
  private capacity = 0;

  constructor(private readonly create: (capacity: number) => C) {}

  get length(): number {
    return this.end - this.start;
  }

  /** Makes room for one more entry and returns its position; the caller fills its row. */
  append(): number {
    const row = this.end % CHUNK;
    if (row === 0) {
      this.chunks.push(this.create(SMALLEST));
      this.capacity = SMALLEST;
    } else if (row >= this.capacity) {
      this.capacity = Math.min(CHUNK, this.capacity * 2);
      this.chunkOf(this.end).grow(this.capacity);
    }
    this.end += 1;
    return this.end - 1;
  }

  /** The chunk that holds a position between `start` and `end`; its row is `position % CHUNK`. */
  chunkOf(position: number): C {
    const chunk = this.chunks[Math.floor(position / CHUNK) - this.firstChunk];
    if (chunk === undefined) throw new Error(`assertion broken: position ${position} must be within the ring`);
    return chunk;
  }

  /** Forgets the oldest entry. */
  dropFirst(): void {
    this.start += 1;
    if (this.start % CHUNK === 0) {
      this.chunks.shift();
      this.firstChunk += 1;
    }
  }

  /** An empty ring goes on at this position, as after a snapshot. */
  restartAt(position: number): void {
    this.start = this.end = position;
    this.firstChunk = Math.floor(position / CHUNK);
    const row = position % CHUNK;
    this.chunks = row === 0 ? [] : [this.create(CHUNK)];
    this.capacity = row === 0 ? 0 : CHUNK;
  }
}
