// Feeds on Kafka: topics `<prefix>.facts.<tenant>`, their partitions divided by a group of the deployment's, which also
// keeps how far each is reported.
import type { FeedMembership, Feeds, FeedsOptions, Served } from '#event-log';
import type { Clock, KafkaAddress } from '#runtime';
import { GroupMembership } from '../group-membership.ts';
import { answerTypeOf, toPassingFault } from '../kafka-fault.ts';
import { GROUP } from '../kafkajs-parts.ts';
import { Leaders } from '../leaders.ts';
import { topicNames } from '../topic-names.ts';
import { registerCodecs } from './codecs.ts';
import { DeadLetters } from './dead-letters.ts';
import { FeedFetcher } from './feed-fetcher.ts';
import { feedDivision, type FeedPlace, readPlace } from './feed-places.ts';
import { FeedPositions } from './feed-positions.ts';
import { FeedTopics } from './feed-topics.ts';

const REFRESH_MS = 30_000;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;

/** Who is to serve what is being divided: it is tried again a moment later. */
const dividing: ReadonlySet<string> = new Set(['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID']);

export interface KafkaFeedsOptions {
  readonly address: KafkaAddress;
  /** Processes of another deployment share nothing with those of this one. */
  readonly deployment: string;
  readonly clock: Clock;
  /** Told of faults that nobody's call can be told of; it is tried again. */
  readonly report?: (fault: unknown) => void;
  /** How often it is looked for new topics, and for more partitions of those that there are. */
  readonly refreshMs?: number;
}

export class KafkaFeeds implements Feeds {
  readonly #options: KafkaFeedsOptions;

  constructor(options: KafkaFeedsOptions) {
    this.#options = options;
  }

  join(options: FeedsOptions): FeedMembership {
    registerCodecs();
    return new KafkaFeedMembership(this.#options, options);
  }
}

class KafkaFeedMembership implements FeedMembership {
  readonly #options: KafkaFeedsOptions;
  readonly #feeds: FeedsOptions;
  readonly #groupId: string;
  readonly #leaders: Leaders;
  readonly #fetching: Leaders;
  readonly #topics: FeedTopics;
  readonly #fetcher: FeedFetcher;
  readonly #membership: GroupMembership<FeedPlace>;
  readonly #positions: FeedPositions;
  readonly #deadLetters: DeadLetters;
  readonly #closing = new AbortController();
  readonly #running: Promise<unknown>;
  #isJoined = false;
  #left: Promise<void> | undefined;

  constructor(options: KafkaFeedsOptions, feeds: FeedsOptions) {
    const { address, deployment, clock, refreshMs = REFRESH_MS } = options;
    this.#options = options;
    this.#feeds = feeds;
    this.#groupId = `${address.prefix}-${deployment}-facts`;
    const { deadLetters, factsStem } = topicNames(address);
    const connect = (): Leaders => new Leaders(address, clock, [deadLetters]);
    this.#leaders = connect();
    this.#fetching = connect();
    this.#deadLetters = new DeadLetters(this.#leaders, deadLetters, clock);
    this.#fetcher = new FeedFetcher({
      leaders: this.#fetching,
      clock,
      report: (error) => this.#report(error, 'read feeds of facts'),
      stale: () => this.#topics.stale(),
    });
    this.#topics = new FeedTopics({
      ...feeds,
      leaders: this.#leaders,
      clock,
      stem: factsStem,
      refreshMs,
      report: (error) => this.#report(error, 'look for feeds of facts'),
      ledBy: (topics) => this.#fetcher.ledBy(topics),
      changed: () => this.#divide(),
    });
    this.#membership = new GroupMembership({
      leaders: connect(),
      clock,
      groupId: this.#groupId,
      division: feedDivision(() => this.#topics.places),
      serve: (place, signal) => this.#serve(place, signal),
      report: (error) => this.#report(error, `be one of the group ${this.#groupId}`),
    });
    this.#positions = new FeedPositions(
      clock,
      (topics) => this.#membership.commit(topics),
      (error) => {
        if (!dividing.has(answerTypeOf(error) ?? '')) this.#report(error, `commit to the group ${this.#groupId}`);
      },
    );
    const { signal } = this.#closing;
    this.#running = Promise.all([this.#topics.keepLooking(signal), this.#positions.keepOn(signal)]);
  }

  leave(): Promise<void> {
    return (this.#left ??= this.#leave());
  }

  async #leave(): Promise<void> {
    if (this.#isJoined) await this.#membership.leave();
    this.#closing.abort();
    await this.#running;
    await this.#fetcher.close();
    await Promise.all([this.#leaders.close(), this.#fetching.close()]);
  }

  /** A member joins once it knows what there is to divide: it may have to divide it. */
  #divide(): void {
    if (this.#left !== undefined) return;
    if (this.#isJoined) return this.#membership.rejoin();
    this.#isJoined = true;
    this.#membership.start();
  }

  async #serve(place: FeedPlace, signal: AbortSignal): Promise<Served> {
    const from = await this.#positionOf(place, signal);
    if (from === undefined) return 'left';
    const { topic, partition } = readPlace(place);
    const tenant = this.#topics.tenantOf(topic);
    this.#positions.begin(place, from);
    const feed = this.#fetcher.follow(place, tenant, from);
    const stop = (): void => feed.stop();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    await this.#feeds.serve({
      ...{ topic, partition, tenant, signal },
      read: () => feed.read(),
      park: (parked) => this.#park({ topic, partition, tenant }, parked),
      reported: (next) => this.#positions.reported(place, next),
    });
    feed.stop();
    await this.#positions.end(place);
    return 'left';
  }

  async #park(feed: Parameters<DeadLetters['add']>[0], parked: Parameters<DeadLetters['add']>[1]): Promise<void> {
    try {
      await this.#deadLetters.add(feed, parked);
    } catch (error) {
      throw toPassingFault(error, this.#options.address, 'write to the dead letters');
    }
  }

  /** Where a partition is to be read on, its beginning where it never was; undefined once it is not to be read. */
  async #positionOf(place: FeedPlace, signal: AbortSignal): Promise<number | undefined> {
    const { clock } = this.#options;
    const { topic, partition } = readPlace(place);
    const request = { groupId: this.#groupId, topics: [{ topic, partitions: [{ partition }] }] };
    for (let retryMs = FIRST_RETRY_MS; !signal.aborted; retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)) {
      try {
        const coordinator = await this.#leaders.coordinator(this.#groupId, GROUP);
        const { responses } = await coordinator.offsetFetch(request);
        return Math.max(0, Number(responses[0]?.partitions[0]?.offset ?? 0));
      } catch (error) {
        this.#report(error, `read the positions of the group ${this.#groupId}`);
        await this.#leaders.recover(error);
        await clock.sleep(retryMs, signal);
      }
    }
    return undefined;
  }

  #report(error: unknown, doing: string): void {
    const { address, report } = this.#options;
    if (this.#left === undefined) report?.(toPassingFault(error, address, doing));
  }
}
