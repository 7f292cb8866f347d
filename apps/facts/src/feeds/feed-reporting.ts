// Reports what comes in a partition of a feed: what is not plausible is quarantined, what is none is parked, the rest goes
// to the log; only then is it counted as reported. Whatever cannot be reached is waited for. It must never take the tenant
// or the reporter from what is in a record.
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { FeedPartition, FeedRecord, FeedRun } from '#event-log';
import { plausibleAround, reporterOfTopic } from '#protocol';
import { CLOCK, type Clock, fairTurns, sliceBytes } from '#runtime';
import { isWriteFault, Quarantine, Writes } from '#writes';
import { FeedMetrics } from './feed-metrics.ts';
import { FeedPortion } from './feed-portion.ts';

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;
/** What is told and not decided goes on within milliseconds, as a rule. */
const ROOM_MS = 20;

@Injectable()
export class FeedReporting {
  private readonly logger = new Logger(FeedReporting.name);

  constructor(
    private readonly writes: Writes,
    private readonly quarantine: Quarantine,
    private readonly metrics: FeedMetrics,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** As `ServeFeed`; what it throws is a bug. */
  async serve(feed: FeedPartition): Promise<void> {
    this.metrics.set(feed.topic, feed.partition, { recordCount: 0 });
    for (let run = await feed.read(); run !== undefined; run = await feed.read()) await this.report(feed, run);
    this.metrics.forget(feed.topic, feed.partition);
  }

  private async report(feed: FeedPartition, { records, next, end }: FeedRun): Promise<void> {
    const { topic, partition, tenant } = feed;
    let rest = records;
    while (rest.length > 0) {
      const [oldest] = rest;
      const recordCount = Math.max(end - (oldest?.offset ?? end), 1);
      this.metrics.set(topic, partition, { recordCount, oldestAt: oldest?.stampedAt ?? this.clock.now() });
      const portion = new FeedPortion(reporterOfTopic(topic));
      const count = await this.read(portion, tenant, rest);
      if (!(await this.take(feed, portion))) return;
      const last = rest[count - 1];
      rest = rest.slice(count);
      // Past the last of them there may be markers and nothing else.
      feed.reported(rest.length === 0 || last === undefined ? next : (last.unreadable?.lastOffset ?? last.offset) + 1);
      if (feed.signal.aborted) return;
    }
    if (records.length === 0) feed.reported(next);
    const behind = Math.max(end - next, 0);
    this.metrics.set(topic, partition, { recordCount: behind, ...(behind > 0 && { oldestAt: stampOf(records) }) });
  }

  /** Puts as many as there is room for into the portion; says how many. */
  private async read(portion: FeedPortion, tenant: string, records: readonly FeedRecord[]): Promise<number> {
    const window = plausibleAround(this.clock.now());
    let count = 0;
    let bytes = sliceBytes;
    for (const record of records) {
      if (portion.isFull) break;
      bytes += record.value?.byteLength ?? 0;
      if (bytes >= sliceBytes) {
        await fairTurns.next(tenant);
        bytes = 0;
      }
      portion.add(record, window);
      count += 1;
    }
    return count;
  }

  /** In this order: what is told is told last, so that nothing of a record is in the log and the rest nowhere. */
  private async take(feed: FeedPartition, portion: FeedPortion): Promise<boolean> {
    const { tenant, topic, partition } = feed;
    const isKept = await this.untilDone(feed, async () => {
      portion.parkFacts(await this.quarantine.keep(tenant, portion.implausible));
      return true;
    });
    if (!isKept) return false;
    const { parked, inputs } = portion;
    const [first] = parked;
    if (first !== undefined) {
      const isParked = await this.untilDone(feed, () => feed.park(parked).then(() => true));
      if (!isParked) return false;
      this.metrics.parked(parked.length);
      const what = `${first.offset}: ${first.message} (${first.reason})`;
      const more = parked.length > 1 ? `; ${parked.length} records were parked, this one first` : '';
      this.logger.warn(`parked ${topic}, partition ${partition}, offset ${what}${more}`);
    }
    return inputs.length === 0 || this.untilDone(feed, () => this.writes.tell(tenant, inputs));
  }

  /** Tries until it is done; false where the partition is to be let go of first. */
  private async untilDone({ topic, partition, signal }: FeedPartition, work: () => Promise<boolean>): Promise<boolean> {
    let retryMs = FIRST_RETRY_MS;
    for (;;) {
      try {
        if (await work()) return true;
        await this.clock.sleep(ROOM_MS, signal);
      } catch (error) {
        if (!isWriteFault(error)) throw error;
        this.logger.warn(`${topic}, partition ${partition}, waits: ${String(error)}`);
        await this.clock.sleep(retryMs, signal);
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
      }
      if (signal.aborted) return false;
    }
  }
}

/** What comes after them is no older, as far as can be told. */
function stampOf(records: readonly FeedRecord[]): number {
  return records.at(-1)?.stampedAt ?? 0;
}
