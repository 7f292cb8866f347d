// How far each partition of a feed is reported, kept in the group: written a moment after, so that a crash repeats a
// moment's records and none is left out.
import type { Clock } from '#runtime';
import type { TopicPartitions } from '../kafkajs-parts.ts';
import { type FeedPlace, readPlace } from './feed-places.ts';

const COMMIT_MS = 1_000;
/** What nobody writes to for long would be forgotten by the group, and read again from its beginning. */
const RENEW_MS = 3_600_000;

export type Commit = (topics: readonly TopicPartitions<{ partition: number; offset: string }>[]) => Promise<void>;

interface Position {
  reported: number;
  kept: number | undefined;
  keptAtMs: number;
}

export class FeedPositions {
  readonly #clock: Clock;
  readonly #commit: Commit;
  readonly #report: (fault: unknown) => void;
  readonly #positions = new Map<FeedPlace, Position>();

  /** `commit` may fail; it is tried again. */
  constructor(clock: Clock, commit: Commit, report: (fault: unknown) => void) {
    this.#clock = clock;
    this.#commit = commit;
    this.#report = report;
  }

  /** From there on this process reports. */
  begin(place: FeedPlace, reported: number): void {
    this.#positions.set(place, { reported, kept: reported, keptAtMs: this.#clock.now() });
  }

  reported(place: FeedPlace, next: number): void {
    const position = this.#positions.get(place);
    if (position !== undefined) position.reported = next;
  }

  /** Keeps what is reported of it, and lets go of it. Never rejects: where it cannot be kept, it is reported again. */
  async end(place: FeedPlace): Promise<void> {
    await this.#keep([place]);
    this.#positions.delete(place);
  }

  /** Keeps what is reported until the signal aborts. Never rejects. */
  async keepOn(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#clock.sleep(COMMIT_MS, signal);
      await this.#keep([...this.#positions.keys()]);
    }
  }

  async #keep(places: readonly FeedPlace[]): Promise<void> {
    const nowMs = this.#clock.now();
    const due = places.flatMap((place) => {
      const position = this.#positions.get(place);
      const isDue = position && (position.reported !== position.kept || nowMs - position.keptAtMs >= RENEW_MS);
      return isDue === true ? [{ place, position, reported: position.reported }] : [];
    });
    if (due.length === 0) return;
    try {
      await this.#commit(
        due.map(({ place, reported }) => {
          const { topic, partition } = readPlace(place);
          return { topic, partitions: [{ partition, offset: String(reported) }] };
        }),
      );
      for (const { position, reported } of due) Object.assign(position, { kept: reported, keptAtMs: nowMs });
    } catch (error) {
      this.#report(error);
    }
  }
}
