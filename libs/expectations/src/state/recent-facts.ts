// Facts received within the early-fact window, by key: what may still satisfy an expectation recorded later.
import type { Hash } from '../hash.ts';
import type { Agent } from './agent.ts';
import { HashIndex } from './hash-index.ts';
import { hashAt, isHashAt, putHash } from './hash-words.ts';
import { CHUNK, Ring } from './ring.ts';
import { grown, Uint48Array } from './uint48.ts';

type Served = Agent | Set<Agent> | undefined;

class RecentChunk {
  /** Four words of the key's hash, four of the fact's own. */
  words: Int32Array;
  readonly receivedAt: Uint48Array;
  readonly observedAt: Uint48Array;
  readonly firstObservedAt: Uint48Array;
  readonly numbers: Uint48Array;
  /** Of the same key: the next one's distance; 0 for none. */
  next: Uint32Array;
  /** In the first of a key: the distance of the last. */
  tail: Uint32Array;
  dead: Uint8Array;
  readonly reporters: string[] = [];
  readonly served: Served[] = [];

  constructor(capacity: number) {
    this.words = new Int32Array(capacity * 8);
    this.receivedAt = new Uint48Array(capacity);
    this.observedAt = new Uint48Array(capacity);
    this.firstObservedAt = new Uint48Array(capacity);
    this.numbers = new Uint48Array(capacity);
    this.next = new Uint32Array(capacity);
    this.tail = new Uint32Array(capacity);
    this.dead = new Uint8Array(capacity);
  }

  grow(capacity: number): void {
    this.words = grown(this.words, capacity * 8);
    this.receivedAt.grow(capacity);
    this.observedAt.grow(capacity);
    this.firstObservedAt.grow(capacity);
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
  /** As of the first receipt: so subjects have it, also where a repeat has satisfied. */
  readonly firstObservedAt: number;
  readonly number: number;
}

export class RecentFacts {
  private readonly ring = new Ring((capacity) => new RecentChunk(capacity));
  private readonly index: HashIndex<Hash>;
  /** Per key (by its first position) and agent: before it nothing can serve that agent any more. */
  private readonly cursors = new Map<number, Map<Agent, number>>();

  constructor() {
    const { ring } = this;
    this.index = new HashIndex({
      get start() {
        return ring.start;
      },
      hashAt: (position) => ring.chunkOf(position).words[(position % CHUNK) * 8] ?? 0,
      matches: (position, keyHash) => isHashAt(ring.chunkOf(position).words, (position % CHUNK) * 8, keyHash),
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
    putHash(chunk.words, row * 8, fact.keyHash);
    putHash(chunk.words, row * 8 + 4, fact.factHash);
    chunk.receivedAt.set(row, fact.receivedAt);
    chunk.observedAt.set(row, fact.observedAt);
    chunk.firstObservedAt.set(row, fact.firstObservedAt);
    chunk.numbers.set(row, fact.number);
    chunk.next[row] = chunk.tail[row] = chunk.dead[row] = 0;
    chunk.reporters[row] = fact.reporter;
    chunk.served[row] = undefined;
    if (head < 0) this.index.insert(fact.keyHash.a, position);
    else this.link(head, position);
    return position;
  }

  /** An expectation of the agent waits for the key: the next search begins behind what can serve the agent no more. */
  advance(keyHash: Hash, agent: Agent): void {
    const head = this.headOf(keyHash);
    if (head < 0) return;
    const from = this.cursorOf(head, agent);
    let to = from;
    for (let next = from; next >= 0 && !this.canServe(to, agent); next = this.nextOf(to)) to = next;
    if (to === from) return;
    const ofKey = this.cursors.get(head);
    if (ofKey === undefined) this.cursors.set(head, new Map([[agent, to]]));
    else ofKey.set(agent, to);
  }

  /** The position of the key's next fact that has served nothing of the agent, first received first; -1 for none. */
  nextUnserved(keyHash: Hash, agent: Agent, after: number): number {
    let position = after < 0 ? this.firstFor(keyHash, agent) : this.nextOf(after);
    while (position >= 0 && !this.canServe(position, agent)) position = this.nextOf(position);
    return position;
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
      firstObservedAt: chunk.firstObservedAt.get(row),
      number: chunk.numbers.get(row),
    };
  }

  /** The position of a fact by its key and number, or -1; with an agent, only of what `advance` has not passed for it. */
  findNumber(keyHash: Hash, number: number, agent?: Agent): number {
    let position = agent === undefined ? this.headOf(keyHash) : this.firstFor(keyHash, agent);
    while (position >= 0 && (this.isDead(position) || this.numberOf(position) !== number)) {
      position = this.nextOf(position);
    }
    return position;
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

  /** When the oldest was received, in epoch milliseconds; Infinity where there is none. */
  get oldestAt(): number {
    const { length, start } = this.ring;
    return length === 0 ? Infinity : this.ring.chunkOf(start).receivedAt.get(start % CHUNK);
  }

  /** The oldest of all is the first of its key: the next of that key takes its place. */
  dropOldest(): void {
    const { start } = this.ring;
    const chunk = this.ring.chunkOf(start);
    const row = start % CHUNK;
    const hash = chunk.words[row * 8] ?? 0;
    const next = chunk.next[row] ?? 0;
    this.index.remove(hash, start);
    if (next !== 0) this.moveHead(hash, start, start + next);
    this.cursors.delete(start);
    chunk.reporters[row] = '';
    chunk.served[row] = undefined;
    this.ring.dropFirst();
  }

  /** What is kept, first received first. */
  *positions(): Generator<number> {
    for (let position = this.ring.start; position < this.ring.end; position += 1) {
      if (!this.isDead(position)) yield position;
    }
  }

  private canServe(position: number, agent: Agent): boolean {
    const served = this.ring.chunkOf(position).served[position % CHUNK];
    if (served === agent || (served instanceof Set && served.has(agent))) return false;
    return !this.isDead(position);
  }

  private firstFor(keyHash: Hash, agent: Agent): number {
    const head = this.headOf(keyHash);
    return head < 0 ? -1 : this.cursorOf(head, agent);
  }

  private cursorOf(head: number, agent: Agent): number {
    return Math.max(head, this.cursors.get(head)?.get(agent) ?? head);
  }

  private numberOf(position: number): number {
    return this.ring.chunkOf(position).numbers.get(position % CHUNK);
  }

  /** The next of the same key, or -1. */
  private nextOf(position: number): number {
    const distance = this.ring.chunkOf(position).next[position % CHUNK] ?? 0;
    return distance === 0 ? -1 : position + distance;
  }

  private headOf(keyHash: Hash): number {
    return this.ring.length === 0 ? -1 : this.index.find(keyHash.a, keyHash);
  }

  private link(head: number, position: number): void {
    const first = this.ring.chunkOf(head);
    const tail = head + (first.tail[head % CHUNK] ?? 0);
    this.ring.chunkOf(tail).next[tail % CHUNK] = position - tail;
    first.tail[head % CHUNK] = position - head;
  }

  private moveHead(hash: number, from: number, to: number): void {
    const tail = from + (this.ring.chunkOf(from).tail[from % CHUNK] ?? 0);
    this.ring.chunkOf(to).tail[to % CHUNK] = tail - to;
    this.index.insert(hash, to);
    const cursors = this.cursors.get(from);
    if (cursors !== undefined) this.cursors.set(to, cursors);
  }
}
