// Follows the partitions that somebody waits for: one long fetch at a time from each broker, whatever their number, into a
// buffer a partition. Who reads at the end of a partition is answered from there.
import type { LogEnds, LogRecord, ReadOptions, Topic } from '#event-log';
import type { Clock } from '#runtime';
import { type Fetched, readFetched } from './fetched.ts';
import { answerTypeOf } from './kafka-fault.ts';
import { READ_COMMITTED } from './kafkajs-parts.ts';
import type { Leaders } from './leaders.ts';
import { boundsOf } from './offsets.ts';
import { TailBuffer } from './tail-buffer.ts';
import type { TopicNames } from './topic-names.ts';

/** A partition that is waited for from now on is asked for after so long at the latest. */
const FETCH_WAIT_MS = 100;
const FETCH_BYTES = 8 * 1024 * 1024;
const FETCH_BYTES_A_PARTITION = 1024 * 1024;
/** A partition that nobody has asked for so long is followed no more. */
const FORGOTTEN_AFTER_MS = 60_000;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1_000;

interface Followed {
  readonly topic: Topic;
  readonly partition: number;
  buffer: TailBuffer;
  wantedAtMs: number;
}

export interface TailOptions {
  /** Of their own: a fetch that waits holds up what comes after it on its connection. */
  readonly leaders: Leaders;
  readonly names: Pick<TopicNames, Topic>;
  readonly ends: LogEnds;
  readonly clock: Clock;
  /** Told of every fault; it is tried again. */
  readonly report: (fault: unknown) => void;
}

export class Tail {
  readonly #options: TailOptions;
  readonly #followed = new Map<string, Followed>();
  /** The brokers that are being fetched from. */
  readonly #pumps = new Map<number, Promise<void>>();
  readonly #closing = new AbortController();
  #starting: Promise<void> | undefined;

  constructor(options: TailOptions) {
    this.#options = options;
  }

  /** As `EventLog.waitFor`. */
  async waitFor(
    topic: Topic,
    partition: number,
    from: number,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { buffer } = this.#follow(topic, partition, from);
    await this.#options.ends.waitFor(topic, partition, buffer.seek(from), timeoutMs, signal);
  }

  /** As `EventLog.read`; undefined where the broker has to be asked. */
  read(topic: Topic, partition: number, options: ReadOptions): readonly LogRecord[] | undefined {
    const followed = this.#followed.get(`${topic} ${partition}`);
    if (followed === undefined) return undefined;
    const wasFull = followed.buffer.isFull;
    const records = followed.buffer.read(options);
    if (records === undefined) return undefined;
    followed.wantedAtMs = this.#options.clock.now();
    if (wasFull && !followed.buffer.isFull) this.#start();
    return records;
  }

  /** What lies before is not to be shown from here any more. */
  trim(partition: number, before: number): void {
    this.#followed.get(`inbox ${partition}`)?.buffer.trim(before);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#starting;
    await Promise.all(this.#pumps.values());
  }

  #follow(topic: Topic, partition: number, from: number): Followed {
    const place = `${topic} ${partition}`;
    const wantedAtMs = this.#options.clock.now();
    const known = this.#followed.get(place);
    const followed = known ?? { topic, partition, buffer: new TailBuffer(from), wantedAtMs };
    followed.wantedAtMs = wantedAtMs;
    const rested = known === undefined || followed.buffer.isFull;
    followed.buffer.want(from);
    this.#followed.set(place, followed);
    if (rested && !followed.buffer.isFull) this.#start();
    return followed;
  }

  /** Fetches from each broker that leads what is followed and is not fetched from. */
  #start(): void {
    if (this.#closing.signal.aborted) return;
    this.#starting ??= this.#startAll().finally(() => (this.#starting = undefined));
  }

  async #startAll(): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (!this.#closing.signal.aborted) {
      try {
        // What is followed meanwhile is looked at too.
        for (const followed of this.#followed.values()) {
          const nodeId = await this.#leaderOf(followed);
          if (!followed.buffer.isFull && !this.#pumps.has(nodeId)) this.#pumps.set(nodeId, this.#pump(nodeId));
        }
        return;
      } catch (error) {
        await this.#pause(error, retryMs);
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
      }
    }
  }

  /** Fetches from one broker until it leads nothing that is wanted. Never rejects. */
  async #pump(nodeId: number): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (!this.#closing.signal.aborted) {
      try {
        const due = await this.#dueAt(nodeId);
        if (due.length === 0) break;
        await this.#fetch(nodeId, due);
        retryMs = FIRST_RETRY_MS;
      } catch (error) {
        await this.#recover(error, retryMs);
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
      }
    }
    this.#pumps.delete(nodeId);
    // What it led may be another's by now, or have been wanted just now.
    if (this.#hasUnfetched()) this.#start();
  }

  async #dueAt(nodeId: number): Promise<readonly Followed[]> {
    const { clock } = this.#options;
    const due: Followed[] = [];
    for (const [place, followed] of this.#followed) {
      if (clock.now() - followed.wantedAtMs > FORGOTTEN_AFTER_MS) this.#followed.delete(place);
      else if (!followed.buffer.isFull && (await this.#leaderOf(followed)) === nodeId) due.push(followed);
    }
    return due;
  }

  async #fetch(nodeId: number, due: readonly Followed[]): Promise<void> {
    const { leaders, names, ends } = this.#options;
    const from = new Map(due.map((followed) => [followed, followed.buffer.next]));
    const topics = (['inbox', 'ledger'] as const).flatMap((topic) => {
      const partitions = due
        .filter((followed) => followed.topic === topic)
        .map((followed) => ({
          partition: followed.partition,
          fetchOffset: String(from.get(followed)),
          maxBytes: FETCH_BYTES_A_PARTITION,
        }));
      return partitions.length === 0 ? [] : [{ topic: names[topic], partitions }];
    });
    const { responses } = await leaders.atBroker(nodeId, (broker) =>
      broker.fetch({
        isolationLevel: READ_COMMITTED,
        maxWaitTime: FETCH_WAIT_MS,
        minBytes: 1,
        maxBytes: FETCH_BYTES,
        topics,
      }),
    );
    for (const { topicName, partitions } of responses) {
      for (const fetched of partitions) {
        const followed = due.find(
          ({ topic, partition }) => names[topic] === topicName && partition === fetched.partition,
        );
        const fetchedFrom = followed && from.get(followed);
        // It may have begun anew elsewhere meanwhile.
        if (followed === undefined || fetchedFrom === undefined || followed.buffer.next !== fetchedFrom) continue;
        this.#take(followed, readFetched(fetched, fetchedFrom), ends);
      }
    }
  }

  #take({ topic, partition, buffer }: Followed, fetched: Fetched, ends: LogEnds): void {
    buffer.add(fetched);
    ends.reached(topic, partition, fetched.next);
  }

  /** An offset that is no more, or not yet, cannot be fetched: what is followed from there begins where there is something. */
  async #startOver(error: unknown): Promise<void> {
    const { leaders, names, ends } = this.#options;
    const { topic, partition } = error as { readonly topic: string; readonly partition: number };
    const { earliest, end } = await boundsOf(leaders, topic, partition);
    for (const followed of this.#followed.values()) {
      if (names[followed.topic] !== topic || followed.partition !== partition) continue;
      const from = followed.buffer.next < earliest ? earliest : end;
      followed.buffer = new TailBuffer(from);
      ends.reached(followed.topic, partition, from);
    }
  }

  async #recover(error: unknown, retryMs: number): Promise<void> {
    if (answerTypeOf(error) !== 'OFFSET_OUT_OF_RANGE') return this.#pause(error, retryMs);
    await this.#startOver(error).catch((cause: unknown) => this.#pause(cause, retryMs));
  }

  async #pause(error: unknown, retryMs: number): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const { leaders, clock, report } = this.#options;
    report(error);
    await leaders.recover(error);
    await clock.sleep(retryMs, this.#closing.signal);
  }

  #hasUnfetched(): boolean {
    return Array.from(this.#followed.values()).some(({ buffer }) => !buffer.isFull);
  }

  #leaderOf({ topic, partition }: Followed): Promise<number> {
    return this.#options.leaders.leaderOf(this.#options.names[topic], partition);
  }
}
