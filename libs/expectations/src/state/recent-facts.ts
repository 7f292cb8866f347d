// Facts received within the early-fact window, by key: what may still satisfy an expectation recorded later.
import type { Hash } from '../hash.ts';
import type { Agent } from './agent.ts';
import { HashIndex } from './hash-index.ts';
import { CHUNK, Ring } from './ring.ts';
import { grown, Uint48Array } from './uint48.ts';

type Served = Agent | Set<Agent> | undefined;

class RecentChunk {
  /** Four words of the key's hash, four of the fact's own. */
  words: Uint32Array;
  readonly receivedAt: Uint48Array;
  readonly observedAt: Uint48Array;
  readonly numbers: Uint48Array;
  /** Of the same key: the next one's distance; 0 for none. */
  next: Uint32Array;
  /** In the first of a key: the distance of the last. */
  tail: Uint32Array;
  dead: Uint8Array;
  readonly reporters: string[] = [];
  readonly served: Served[] = [];

  constructor(capacity: number) {
    this.words = new Uint32Array(capacity * 8);
    this.receivedAt = new Uint48Array(capacity);
    this.observedAt = new Uint48Array(capacity);
    this.numbers = new Uint48Array(capacity);
    this.next = new Uint32Array(capacity);
    this.tail = new Uint32Array(capacity);
    this.dead = new Uint8Array(capacity);
  }

  grow(capacity: number): void {
    this.words = grown(this.words, capacity * 8);
    this.receivedAt.grow(capacity);
    this.observedAt.grow(capacity);
    this.numbers.grow(capacity);
    this.next = grown(this.next, capacity);
    this.tail = grown(this.tail, capacity);
    this.dead = grown(this.dead, capacity);
  }
}

/** A fact that came early. Instants in epoch milliseconds; `observedAt` never after `receivedAt`. */
export interface RecentFact {
  readonly keyHash: Hash;
  readonly factHash: Hash;
  readonly reporter: string;
  readonly receivedAt: number;
  readonly observedAt: number;
  readonly number: number;
}

export class RecentFacts {
  private readonly ring = new Ring((capacity) => new RecentChunk(capacity));
  private readonly index: HashIndex;
  /** Per key (by its first position) and agent: before it everything has served that agent. */
  private readonly cursors = new Map<number, Map<Agent, number>>();

  constructor() {
    const { ring } = this;
    this.index = new HashIndex({
      get start() {
        return ring.start;
      },
      hashAt: (position) => ring.chunkOf(position).words[(position % CHUNK) * 8] ?? 0,
    });
  }

  get length(): number {
    return this.ring.length;
  }

  /** Returns the position. */
  add(fact: RecentFact): number {
    const head = this.headOf(fact.keyHash);
    const position = this.ring.append();
    const chunk = this.ring.chunkOf(position);
    const row = position % CHUNK;
    chunk.words.set([fact.keyHash.a, fact.keyHash.b, fact.keyHash.c, fact.keyHash.d], row * 8);
    chunk.words.set([fact.factHash.a, fact.factHash.b, fact.factHash.c, fact.factHash.d], row * 8 + 4);
    chunk.receivedAt.set(row, fact.receivedAt);
    chunk.observedAt.set(row, fact.observedAt);
    chunk.numbers.set(row, fact.number);
    chunk.next[row] = chunk.tail[row] = chunk.dead[row] = 0;
    chunk.reporters[row] = fact.reporter;
    chunk.served[row] = undefined;
    if (head < 0) this.index.insert(fact.keyHash.a, position);
    else this.link(head, position);
    return position;
  }

  /** The positions of a key's facts, first received first, from the first that may not have served the agent. */
  *unserved(keyHash: Hash, agent: Agent): Generator<number> {
    const head = this.headOf(keyHash);
    if (head < 0) return;
    let isPrefix = true;
    for (let position = Math.max(head, this.cursors.get(head)?.get(agent) ?? head); ;) {
      if (!this.isDead(position) && !this.hasServed(position, agent)) {
        isPrefix = false;
        yield position;
      }
      const next = this.ring.chunkOf(position).next[position % CHUNK] ?? 0;
      if (isPrefix) this.moveCursor(head, agent, position);
      if (next === 0) return;
      position += next;
    }
  }

  get(position: number): RecentFact {
    const chunk = this.ring.chunkOf(position);
    const row = position % CHUNK;
    return {
      keyHash: hashAt(chunk.words, row * 8),
      factHash: hashAt(chunk.words, row * 8 + 4),
      reporter: chunk.reporters[row] ?? '',
      receivedAt: chunk.receivedAt.get(row),
      observedAt: chunk.observedAt.get(row),
      number: chunk.numbers.get(row),
    };
  }

  /** The position of a fact by its key and number, or -1. */
  findNumber(keyHash: Hash, number: number): number {
    for (let position = this.headOf(keyHash); position >= 0;) {
      const chunk = this.ring.chunkOf(position);
      if (!this.isDead(position) && chunk.numbers.get(position % CHUNK) === number) return position;
      const next = chunk.next[position % CHUNK] ?? 0;
      if (next === 0) return -1;
      position += next;
    }
    return -1;
  }

  /** From here on the fact has satisfied something of this agent. */
  serve(position: number, agent: Agent): void {
    const { served } = this.ring.chunkOf(position);
    const before = served[position % CHUNK];
    if (before === undefined || before === agent) served[position % CHUNK] = agent;
    else if (before instanceof Set) before.add(agent);
    else served[position % CHUNK] = new Set([before, agent]);
  }

  servedOf(position: number): readonly Agent[] {
    const served = this.ring.chunkOf(position).served[position % CHUNK];
    if (served === undefined) return [];
    return served instanceof Set ? [...served] : [served];
  }

  /** It counts no longer: it was received anew, or its fact is forgotten. */
  kill(position: number): void {
    this.ring.chunkOf(position).dead[position % CHUNK] = 1;
  }

  isDead(position: number): boolean {
    return this.ring.chunkOf(position).dead[position % CHUNK] === 1;
  }

  /** Forgets from the oldest on while `isOver` says so of its receipt. */
  forget(isOver: (receivedAtMs: number) => boolean): void {
    while (this.ring.length > 0) {
      const { start } = this.ring;
      const chunk = this.ring.chunkOf(start);
      const row = start % CHUNK;
      if (chunk.dead[row] === 0 && !isOver(chunk.receivedAt.get(row))) return;
      this.dropFirst(chunk, start);
    }
  }

  /** What is kept, first received first. */
  *positions(): Generator<number> {
    for (let position = this.ring.start; position < this.ring.end; position += 1) {
      if (!this.isDead(position)) yield position;
    }
  }

  private hasServed(position: number, agent: Agent): boolean {
    const served = this.ring.chunkOf(position).served[position % CHUNK];
    return served === agent || (served instanceof Set && served.has(agent));
  }

  private moveCursor(head: number, agent: Agent, position: number): void {
    if (position === head) return;
    const ofKey = this.cursors.get(head) ?? new Map<Agent, number>();
    ofKey.set(agent, position);
    this.cursors.set(head, ofKey);
  }

  private headOf(keyHash: Hash): number {
    if (this.ring.length === 0) return -1;
    return this.index.find(keyHash.a, (position) => {
      const { words } = this.ring.chunkOf(position);
      const at = (position % CHUNK) * 8;
      return (
        words[at] === keyHash.a &&
        words[at + 1] === keyHash.b &&
        words[at + 2] === keyHash.c &&
        words[at + 3] === keyHash.d
      );
    });
  }

  private link(head: number, position: number): void {
    const first = this.ring.chunkOf(head);
    const tail = head + (first.tail[head % CHUNK] ?? 0);
    this.ring.chunkOf(tail).next[tail % CHUNK] = position - tail;
    first.tail[head % CHUNK] = position - head;
  }

  /** The oldest of all is the first of its key: the next of that key takes its place. */
  private dropFirst(chunk: RecentChunk, start: number): void {
    const row = start % CHUNK;
    const hash = chunk.words[row * 8] ?? 0;
    const next = chunk.next[row] ?? 0;
    this.index.remove(hash, start);
    if (next !== 0) {
      const head = start + next;
      this.ring.chunkOf(head).tail[head % CHUNK] = (chunk.tail[row] ?? 0) - next;
      this.index.insert(hash, head);
    }
    const cursors = this.cursors.get(start);
    if (cursors !== undefined) {
      this.cursors.delete(start);
      if (next !== 0) this.cursors.set(start + next, cursors);
    }
    chunk.reporters[row] = '';
    chunk.served[row] = undefined;
    this.ring.dropFirst();
  }
}

function hashAt(words: Uint32Array, at: number): Hash {
  return { a: words[at] ?? 0, b: words[at + 1] ?? 0, c: words[at + 2] ?? 0, d: words[at + 3] ?? 0 };
}
