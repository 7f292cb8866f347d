// Fetches feeds: one long fetch at a time from each broker, of all partitions it leads whose last run was taken and whose
// tenant has room. It must never wait for one partition on account of another.
import type { FeedRun } from '#event-log';
import type { Clock } from '#runtime';
import { protocolError, READ_COMMITTED } from '../kafkajs-parts.ts';
import type { Leaders } from '../leaders.ts';
import { type FeedPlace, placeOf, readPlace } from './feed-places.ts';
import { type FedPartition, fetchFeeds, type TopicLeaders } from './feed-requests.ts';
import { FollowedFeed } from './followed-feed.ts';
import { HeldBytes } from './held-bytes.ts';

const FETCH_WAIT_MS = 100;
const FETCH_BYTES = 4 * 1024 * 1024;
const FETCH_BYTES_A_PARTITION = 256 * 1024;
const HELD = { tenantBytes: 4 * 1024 * 1024, allBytes: 64 * 1024 * 1024 };
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1_000;
const OFFSET_OUT_OF_RANGE = 1;
const EARLIEST = -2;

export interface FeedFetcherOptions {
  /** Of their own: a fetch that waits holds up what comes after it on its connection. */
  readonly leaders: Leaders;
  readonly clock: Clock;
  /** Told of every fault; it is tried again. */
  readonly report: (fault: unknown) => void;
  /** Who leads may be out of date. */
  readonly stale: () => void;
}

export class FeedFetcher {
  readonly #options: FeedFetcherOptions;
  readonly #followed = new Map<FeedPlace, FollowedFeed>();
  readonly #held = new HeldBytes(HELD);
  /** The brokers that are being fetched from. */
  readonly #pumps = new Map<number, Promise<void>>();
  readonly #closing = new AbortController();
  #leaders: ReadonlyMap<string, TopicLeaders> = new Map();

  constructor(options: FeedFetcherOptions) {
    this.#options = options;
  }

  /** Who leads what from now on. */
  ledBy(leaders: ReadonlyMap<string, TopicLeaders>): void {
    this.#leaders = leaders;
    this.#start();
  }

  /** To be read from there on, until it is stopped. */
  follow(place: FeedPlace, tenant: string, from: number): { read(): Promise<FeedRun | undefined>; stop(): void } {
    const held = (bytes: number): void => {
      this.#held.add(tenant, bytes);
      if (bytes <= 0) this.#start();
    };
    const feed = new FollowedFeed({ place, ...readPlace(place), tenant, from, held });
    this.#followed.set(place, feed);
    this.#start();
    return {
      read: () => feed.read(),
      stop: () => {
        if (this.#followed.get(place) === feed) this.#followed.delete(place);
        feed.stop();
      },
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#pumps.values());
  }

  #start(): void {
    if (this.#closing.signal.aborted) return;
    for (const feed of this.#followed.values()) {
      const nodeId = this.#leaderOf(feed);
      if (nodeId >= 0 && !this.#pumps.has(nodeId) && this.#isDue(feed)) this.#pumps.set(nodeId, this.#pump(nodeId));
    }
  }

  /** Never rejects. */
  async #pump(nodeId: number): Promise<void> {
    const { clock, leaders, report, stale } = this.#options;
    const { signal } = this.#closing;
    let retryMs = FIRST_RETRY_MS;
    // What has begun in this turn is seen by whoever starts pumps.
    await Promise.resolve();
    while (!signal.aborted) {
      const due = this.#dueAt(nodeId);
      if (due.length === 0) break;
      try {
        await this.#fetch(nodeId, due);
        retryMs = FIRST_RETRY_MS;
      } catch (error) {
        if (this.#isClosing()) break;
        report(error);
        stale();
        await leaders.recover(error);
        await clock.sleep(retryMs, signal);
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
      }
    }
    this.#pumps.delete(nodeId);
    this.#start();
  }

  async #fetch(nodeId: number, due: readonly FollowedFeed[]): Promise<void> {
    const asked = new Map(due.map((feed) => [feed.place, { feed, from: feed.next }]));
    const topics = due.map(({ topic, partition, next }) => ({
      topic,
      partitions: [{ partition, fetchOffset: String(next), maxBytes: FETCH_BYTES_A_PARTITION }],
    }));
    const request = { maxWaitTime: FETCH_WAIT_MS, maxBytes: FETCH_BYTES, topics };
    const fetched = await this.#options.leaders.atBroker(nodeId, (broker) => fetchFeeds(broker, request));
    for (const part of fetched) {
      const { feed, from } = asked.get(placeOf(part.topic, part.partition)) ?? {};
      // It may have been let go of meanwhile, and be followed anew from elsewhere.
      if (feed === undefined || this.#followed.get(feed.place) !== feed || feed.next !== from) continue;
      await this.#take(nodeId, feed, part);
    }
  }

  async #take(nodeId: number, feed: FollowedFeed, part: FedPartition): Promise<void> {
    if (part.errorCode === 0) {
      // Whoever has had something comes last the next time: an answer has room for so much.
      if (part.next !== undefined) {
        this.#followed.delete(feed.place);
        this.#followed.set(feed.place, feed);
      }
      feed.add(part);
      return;
    }
    if (part.errorCode === OFFSET_OUT_OF_RANGE) return this.#startOver(nodeId, feed);
    const { clock, report, stale } = this.#options;
    report(new Error(`${feed.topic} cannot be read`, { cause: protocolError(part.errorCode) }));
    stale();
    void clock.sleep(feed.fail(clock.now()), this.#closing.signal).then(() => this.#start());
  }

  /** What is not there any more cannot be reported, which must be said; a topic that is read first has no more to tell. */
  async #startOver(nodeId: number, feed: FollowedFeed): Promise<void> {
    const { topic, partition, next } = feed;
    const topics = [{ topic, partitions: [{ partition, timestamp: EARLIEST }] }];
    const { responses } = await this.#options.leaders.atBroker(nodeId, (broker) =>
      broker.listOffsets({ isolationLevel: READ_COMMITTED, topics }),
    );
    const earliest = Number(responses[0]?.partitions[0]?.offset ?? 0);
    const what =
      next < earliest
        ? `what was in it from ${next} to ${earliest - 1} was let go of before it was reported`
        : `it ends before ${next}: it must have been made anew, and is read from its beginning`;
    if (next > 0) this.#options.report(new Error(`${topic}, partition ${partition}: ${what}`));
    feed.next = earliest;
  }

  #dueAt(nodeId: number): readonly FollowedFeed[] {
    return [...this.#followed.values()].filter((feed) => this.#leaderOf(feed) === nodeId && this.#isDue(feed));
  }

  #isDue(feed: FollowedFeed): boolean {
    const isRested = this.#options.clock.now() >= feed.retryAtMs;
    return feed.isWanted && isRested && this.#held.hasRoom(feed.tenant, FETCH_BYTES_A_PARTITION);
  }

  #leaderOf({ topic, partition }: FollowedFeed): number {
    return this.#leaders.get(topic)?.get(partition) ?? -1;
  }

  #isClosing(): boolean {
    return this.#closing.signal.aborted;
  }
}
