// Which topics are feeds, looked for again and again: they come while we run, and get more partitions. Of a tenant that
// there is not none is read: what is in it waits until there is one.
import type { FeedsOptions } from '#event-log';
import { type Clock, isTenantName, linked } from '#runtime';
import type { Leaders } from '../leaders.ts';
import { type FeedPlace, placeOf } from './feed-places.ts';
import { type TopicLeaders, topicsOf } from './feed-requests.ts';

const PATIENCE_MS = 5_000;
/** Leaders that are out of date are looked for again after so long at the earliest. */
const STALE_MS = 500;

export interface FeedTopicsOptions extends Pick<FeedsOptions, 'tenants' | 'waiting'> {
  readonly leaders: Leaders;
  readonly clock: Clock;
  readonly stem: string;
  readonly refreshMs: number;
  readonly report: (fault: unknown) => void;
  /** Told who leads, after each look. */
  readonly ledBy: (topics: ReadonlyMap<string, TopicLeaders>) => void;
  /** There are others than before. */
  readonly changed: () => void;
}

export class FeedTopics {
  readonly #options: FeedTopicsOptions;
  #tenants: ReadonlySet<string> = new Set();
  #places: readonly FeedPlace[] = [];
  #waiting: readonly string[] = [];
  #wake = new AbortController();

  constructor(options: FeedTopicsOptions) {
    this.#options = options;
  }

  /** The partitions of all feeds of tenants that there are. */
  get places(): readonly FeedPlace[] {
    return this.#places;
  }

  tenantOf(topic: string): string {
    return topic.slice(this.#options.stem.length);
  }

  /** Looks as often as it is due, until the signal aborts. Never rejects. */
  async keepLooking(signal: AbortSignal): Promise<void> {
    const { clock, refreshMs, report } = this.#options;
    while (!signal.aborted) {
      const wake = this.#wake;
      try {
        await this.#look();
      } catch (error) {
        report(error);
      }
      await clock.sleep(STALE_MS, signal);
      await linked(signal, wake, () => clock.sleep(refreshMs - STALE_MS, wake.signal));
    }
  }

  /** To be looked for soon. */
  stale(): void {
    this.#wake.abort();
    this.#wake = new AbortController();
  }

  async #look(): Promise<void> {
    const { leaders, stem, ledBy, changed, waiting } = this.#options;
    const all = await leaders.anywhere(topicsOf, PATIENCE_MS);
    const feeds = new Map([...all].filter(([topic]) => topic.startsWith(stem)));
    await this.#learnTenants();
    const isOpen = (topic: string): boolean =>
      this.#tenants.has(this.tenantOf(topic)) && isTenantName(this.tenantOf(topic));
    const places = [...feeds]
      .filter(([topic]) => isOpen(topic))
      .flatMap(([topic, partitions]) => [...partitions.keys()].map((partition) => placeOf(topic, partition)))
      .sort();
    ledBy(feeds);
    if (places.join() !== this.#places.join()) {
      this.#places = places;
      changed();
    }
    const others = [...feeds.keys()].filter((topic) => !isOpen(topic)).sort();
    if (others.join() === this.#waiting.join()) return;
    this.#waiting = others;
    waiting(others);
  }

  /** Those that are known stay so where nobody can be asked. */
  async #learnTenants(): Promise<void> {
    try {
      this.#tenants = await this.#options.tenants();
    } catch (error) {
      this.#options.report(error);
    }
  }
}
