// Closed expectations, as long as *Memory* has them: enough to refuse a used id, to follow a successor and to
// anchor to what was satisfied; nothing more.
import type { Hash } from '../hash.ts';
import { hashOf, hashText } from '../hash.ts';
import type { Agent } from './agent.ts';
import type { Expectation } from './expectation.ts';
import { HashIndex } from './hash-index.ts';
import { CHUNK, Ring } from './ring.ts';
import { grown, Uint48Array } from './uint48.ts';

class ClosedChunk {
  hashes: Uint32Array;
  agents: Uint32Array;
  /** Four words of the content's hash, two of the subject's. */
  words: Uint32Array;
  satisfied: Uint8Array;
  readonly observedAt: Uint48Array;
  readonly closedAt: Uint48Array;
  readonly ids: string[] = [];
  /** The successor while it is open, its position once it is closed. */
  readonly successors: (Expectation | number | undefined)[] = [];

  constructor(capacity: number) {
    this.hashes = new Uint32Array(capacity);
    this.agents = new Uint32Array(capacity);
    this.words = new Uint32Array(capacity * 6);
    this.satisfied = new Uint8Array(capacity);
    this.observedAt = new Uint48Array(capacity);
    this.closedAt = new Uint48Array(capacity);
  }

  grow(capacity: number): void {
    this.hashes = grown(this.hashes, capacity);
    this.agents = grown(this.agents, capacity);
    this.words = grown(this.words, capacity * 6);
    this.satisfied = grown(this.satisfied, capacity);
    this.observedAt.grow(capacity);
    this.closedAt.grow(capacity);
  }
}

/** What is remembered of one. Instants in epoch milliseconds; `observedAt` is 0 where it was withdrawn. */
export interface ClosedExpectation {
  readonly agentIndex: number;
  readonly expectationId: string;
  readonly contentHash: Hash;
  readonly subjectHash: readonly [number, number];
  readonly satisfied: boolean;
  readonly observedAt: number;
  readonly closedAt: number;
  readonly successor: Expectation | number | undefined;
}

/** The part of a subject's hash that is kept of a closed expectation. */
export function hashSubject(type: string, id: string): readonly [number, number] {
  const { a, b } = hashOf(type, id);
  return [a, b];
}

export class ClosedMemory {
  private readonly ring = new Ring((capacity) => new ClosedChunk(capacity));
  private readonly index: HashIndex;

  constructor() {
    const { ring } = this;
    this.index = new HashIndex({
      get start() {
        return ring.start;
      },
      hashAt: (position) => ring.chunkOf(position).hashes[position % CHUNK] ?? 0,
    });
  }

  get length(): number {
    return this.ring.length;
  }

  /** Returns the position. */
  add(closed: ClosedExpectation): number {
    const position = this.ring.append();
    const chunk = this.ring.chunkOf(position);
    const row = position % CHUNK;
    const hash = hashText(closed.expectationId, closed.agentIndex);
    chunk.hashes[row] = hash;
    chunk.agents[row] = closed.agentIndex;
    const { a, b, c, d } = closed.contentHash;
    chunk.words.set([a, b, c, d, closed.subjectHash[0], closed.subjectHash[1]], row * 6);
    chunk.satisfied[row] = closed.satisfied ? 1 : 0;
    chunk.observedAt.set(row, closed.observedAt);
    chunk.closedAt.set(row, closed.closedAt);
    chunk.ids[row] = closed.expectationId;
    chunk.successors[row] = closed.successor;
    this.index.insert(hash, position);
    return position;
  }

  /** The position, or -1. */
  find(agent: Agent, expectationId: string): number {
    if (this.ring.length === 0) return -1;
    return this.index.find(hashText(expectationId, agent.index), (position) => {
      const chunk = this.ring.chunkOf(position);
      return chunk.agents[position % CHUNK] === agent.index && chunk.ids[position % CHUNK] === expectationId;
    });
  }

  get(position: number): ClosedExpectation {
    const chunk = this.ring.chunkOf(position);
    const row = position % CHUNK;
    const words = chunk.words.subarray(row * 6, row * 6 + 6);
    return {
      agentIndex: chunk.agents[row] ?? 0,
      expectationId: chunk.ids[row] ?? '',
      contentHash: { a: words[0] ?? 0, b: words[1] ?? 0, c: words[2] ?? 0, d: words[3] ?? 0 },
      subjectHash: [words[4] ?? 0, words[5] ?? 0],
      satisfied: chunk.satisfied[row] === 1,
      observedAt: chunk.observedAt.get(row),
      closedAt: chunk.closedAt.get(row),
      successor: chunk.successors[row],
    };
  }

  /** The successor of what stands at `position` has closed too, and stands at `successor`. */
  succeed(position: number, successor: number): void {
    if (position >= this.ring.start) this.ring.chunkOf(position).successors[position % CHUNK] = successor;
  }

  /** Forgets from the oldest on while `isOver` says so of its closing. */
  forget(isOver: (closedAtMs: number) => boolean): void {
    while (this.ring.length > 0) {
      const { start } = this.ring;
      const chunk = this.ring.chunkOf(start);
      const row = start % CHUNK;
      if (!isOver(chunk.closedAt.get(row))) return;
      this.index.remove(chunk.hashes[row] ?? 0, start);
      chunk.ids[row] = '';
      chunk.successors[row] = undefined;
      this.ring.dropFirst();
    }
  }

  get start(): number {
    return this.ring.start;
  }

  /** Goes on at a position, as after a snapshot. */
  restartAt(position: number): void {
    this.ring.restartAt(position);
  }
}
