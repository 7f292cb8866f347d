// One partition of a feed as it is read: one run waits for whoever reports it while another is being reported, and no more
// is fetched. What is fetched goes on from what was fetched, never from elsewhere.
import type { FeedRecord, FeedRun } from '#event-log';
import { committedOf } from '../fetched.ts';
import type { FeedPlace } from './feed-places.ts';
import type { FedPartition } from './feed-requests.ts';
import type { BatchMessage } from './read-batches.ts';

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 10_000;

export interface FollowedFeedOptions {
  readonly place: FeedPlace;
  readonly topic: string;
  readonly partition: number;
  readonly tenant: string;
  readonly from: number;
  /** Told how much more, or less, is held. */
  readonly held: (bytes: number) => void;
}

export class FollowedFeed {
  readonly place: FeedPlace;
  readonly topic: string;
  readonly partition: number;
  readonly tenant: string;
  /** Where to fetch on. */
  next: number;
  /** What went wrong may go well from then on, by the process's clock. */
  retryAtMs = 0;
  readonly #held: (bytes: number) => void;
  #waiting: { readonly run: FeedRun; readonly bytes: number } | undefined;
  #takenBytes = 0;
  #retryMs = FIRST_RETRY_MS;
  #isStopped = false;
  #wake: () => void = () => undefined;

  constructor({ place, topic, partition, tenant, from, held }: FollowedFeedOptions) {
    this.place = place;
    this.topic = topic;
    this.partition = partition;
    this.tenant = tenant;
    this.next = from;
    this.#held = held;
  }

  /** Whether more of it may be fetched. */
  get isWanted(): boolean {
    return !this.#isStopped && this.#waiting === undefined;
  }

  /** As `FeedPartition.read`. */
  async read(): Promise<FeedRun | undefined> {
    this.#held(-this.#takenBytes);
    this.#takenBytes = 0;
    while (this.#waiting === undefined && !this.#isStopped)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#isStopped) return undefined;
    const taken = this.#waiting;
    this.#waiting = undefined;
    this.#takenBytes = taken?.bytes ?? 0;
    // Fetching may go on.
    this.#held(0);
    return taken?.run;
  }

  /** What was fetched from `next` on. */
  add({ messages, abortedTransactions, next, lastStableOffset }: FedPartition): void {
    this.#retryMs = FIRST_RETRY_MS;
    const from = this.next;
    const records = committedOf(messages, abortedTransactions)
      .map(toRecord)
      .filter(({ offset, unreadable }) => (unreadable?.lastOffset ?? offset) >= from);
    this.next = Math.max(from, next ?? from);
    if (this.next === from) return;
    const bytes = records.reduce((sum, { value }) => sum + (value?.byteLength ?? 0), 0);
    this.#waiting = { run: { records, next: this.next, end: lastStableOffset }, bytes };
    this.#held(bytes);
    this.#wake();
  }

  /** It went wrong; says how long it is to be left alone. */
  fail(nowMs: number): number {
    const pauseMs = this.#retryMs;
    this.retryAtMs = nowMs + pauseMs;
    this.#retryMs = Math.min(pauseMs * 2, LAST_RETRY_MS);
    return pauseMs;
  }

  /** What is waiting is not reported: whoever has the partition next reads it again. */
  stop(): void {
    this.#isStopped = true;
    this.#held(-(this.#waiting?.bytes ?? 0));
    this.#waiting = undefined;
    this.#wake();
  }
}

function toRecord({ offset, timestamp, value, unreadable }: BatchMessage): FeedRecord {
  const record = { offset: Number(offset), stampedAt: Number(timestamp), value };
  return unreadable === undefined ? record : { ...record, unreadable };
}
