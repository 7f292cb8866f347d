// How far the feeds of facts are behind their topics, as `/metrics` shows it. A topic's name has its tenant's in it, so
// it must never be a label: the worst of all is shown, and the log says which it is.
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, type MetricFamily, type MetricSource } from '#runtime';

/** Of one partition of one topic. */
export interface FeedLag {
  /** Records that are in the topic and not reported. */
  readonly recordCount: number;
  /** The oldest of them is stamped so, in epoch milliseconds; absent where there is none. */
  readonly oldestAt?: number;
}

@Injectable()
export class FeedMetrics implements MetricSource {
  readonly name = 'feeds';
  private readonly lags = new Map<string, FeedLag>();
  private parkedCount = 0;
  private waitingCount = 0;

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /** To be called by whoever reads a partition of a topic, as often as its place changes. */
  set(topic: string, partition: number, lag: FeedLag): void {
    this.lags.set(placeOf(topic, partition), lag);
  }

  /** The partition is another process's by now. */
  forget(topic: string, partition: number): void {
    this.lags.delete(placeOf(topic, partition));
  }

  /** So many more records were parked. */
  parked(count: number): void {
    this.parkedCount += count;
  }

  /** So many topics are not read, for there is no such tenant. */
  waiting(count: number): void {
    this.waitingCount = count;
  }

  async collect(): Promise<readonly MetricFamily[]> {
    const lags = [...this.lags.values()];
    const now = this.clock.now();
    const family = (type: MetricFamily['type'], name: string, help: string, value: number): MetricFamily => ({
      ...{ name, help, type, samples: [{ value }] },
    });
    return [
      family('gauge', 'duewatch_feed_partitions', 'Partitions of topics of facts that the process reads', lags.length),
      family(
        'gauge',
        'duewatch_feed_lag_records',
        'Records in those that are not reported, in all of them together',
        lags.reduce((sum, { recordCount }) => sum + recordCount, 0),
      ),
      family(
        'gauge',
        'duewatch_feed_lag_seconds',
        'The age of the oldest record that is not reported, of all of them; 0 where there is none',
        lags.reduce((most, { oldestAt = now }) => Math.max(most, now - oldestAt), 0) / 1_000,
      ),
      family(
        'counter',
        'duewatch_feed_parked_records_total',
        'Records of topics of facts that were parked in the dead letters',
        this.parkedCount,
      ),
      family(
        'gauge',
        'duewatch_feed_waiting_topics',
        'Topics of facts that are not read, because there is no such tenant',
        this.waitingCount,
      ),
    ];
  }
}

function placeOf(topic: string, partition: number): string {
  return `${topic} ${partition}`;
}
