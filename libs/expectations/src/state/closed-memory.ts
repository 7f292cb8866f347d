// Closed expectations, as long as *Memory* has them: enough to refuse a used id, to follow a successor and to
// anchor to what was satisfied; nothing more.
import type { Hash } from '../hash.ts';
import { hashList, hashText } from '../hash.ts';
import type { Agent } from './agent.ts';
import type { Expectation } from './expectation.ts';
import { HashIndex } from './hash-index.ts';
import { hashAt, putHash } from './hash-words.ts';
import { CHUNK, Ring } from './ring.ts';
import { grown, Uint48Array } from './uint48.ts';

class ClosedChunk {
  hashes: Int32Array;
  agents: Uint32Array;
  /** Four words of the content's hash, two of the subject's. */
  words: Int32Array;
  satisfied: Uint8Array;
  readonly observedAt: Uint48Array;
  readonly closedAt: Uint48Array;
  readonly ids: string[] = [];

  constructor(capacity: number) {
    this.hashes = new Int32Array(capacity);
    this.agents = new Uint32Array(capacity);
    this.words = new Int32Array(capacity * 6);
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

/** Whose id it is. */
interface ClosedName {
  readonly agentIndex: number;
  readonly expectationId: string;
}

/** What is remembered of one. Instants in epoch milliseconds; `observedAt` is 0 where it was withdrawn. */
export interface ClosedExpectation extends ClosedName {
  readonly contentHash: Hash;
  readonly subjectHash: readonly [number, number];
  readonly satisfied: boolean;
  readonly observedAt: number;
  readonly closedAt: number;
  readonly successor: Expectation | number | undefined;
}

/** The part of a subject's hash that is kept of a closed expectation. */
export function hashSubject(type: string, id: string): readonly [number, number] {
  const { a, b } = hashList([type, id], 0);
  return [a, b];
}

export class ClosedMemory {
  private readonly ring = new Ring((capacity) => new ClosedChunk(capacity));
  private readonly index: HashIndex<ClosedName>;
  /** By position: the successor while it is open, its own position once it is closed. */
  private readonly successors = new Map<number, Expectation | number>();

  constructor() {
    const { ring } = this;
    this.index = new HashIndex({
      get start() {
        return ring.start;
      },
      hashAt: (position) => ring.chunkOf(position).hashes[position % CHUNK] ?? 0,
      matches: (position, { agentIndex, expectationId }) => {
        const chunk = ring.chunkOf(position);
        const row = position % CHUNK;
        return chunk.agents[row] === agentIndex && chunk.ids[row] === expectationId;
      },
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
    putHash(chunk.words, row * 6, closed.contentHash);
    chunk.words[row * 6 + 4] = closed.subjectHash[0];
    chunk.words[row * 6 + 5] = closed.subjectHash[1];
    chunk.satisfied[row] = closed.satisfied ? 1 : 0;
    chunk.observedAt.set(row, closed.observedAt);
    chunk.closedAt.set(row, closed.closedAt);
    chunk.ids[row] = closed.expectationId;
    if (closed.successor !== undefined) this.successors.set(position, closed.successor);
    this.index.insert(hash, position);
    return position;
  }

  /** The position, or -1. */
  find(agent: Agent, expectationId: string): number {
    if (this.ring.length === 0) return -1;
    const agentIndex = agent.index;
    return this.index.find(hashText(expectationId, agentIndex), { agentIndex, expectationId });
  }

  get(position: number): ClosedExpectation {
    const chunk = this.ring.chunkOf(position);
    const row = position % CHUNK;
    return {
      agentIndex: chunk.agents[row] ?? 0,
      expectationId: chunk.ids[row] ?? '',
      contentHash: hashAt(chunk.words, row * 6),
      subjectHash: [chunk.words[row * 6 + 4] ?? 0, chunk.words[row * 6 + 5] ?? 0],
      satisfied: chunk.satisfied[row] === 1,
      observedAt: chunk.observedAt.get(row),
      closedAt: chunk.closedAt.get(row),
      successor: this.successors.get(position),
    };
  }

  /** The successor of what stands at `position` has closed too, and stands at `successor`. */
  succeed(position: number, successor: number): void {
    if (position >= this.ring.start) this.successors.set(position, successor);
  }

  /** When the oldest closed, in epoch milliseconds; Infinity where there is none. */
  get oldestAt(): number {
    const { length, start } = this.ring;
    return length === 0 ? Infinity : this.ring.chunkOf(start).closedAt.get(start % CHUNK);
  }

  dropOldest(): void {
    const { start } = this.ring;
    const chunk = this.ring.chunkOf(start);
    const row = start % CHUNK;
    this.index.remove(chunk.hashes[row] ?? 0, start);
    chunk.ids[row] = '';
    this.successors.delete(start);
    this.ring.dropFirst();
  }

  get start(): number {
    return this.ring.start;
  }

  /** Goes on at a position, as after a snapshot. */
  restartAt(position: number): void {
    this.ring.restartAt(position);
  }
}
