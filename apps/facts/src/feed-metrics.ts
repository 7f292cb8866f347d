// How far the feeds of facts are behind their topics, as `/metrics` shows it. A topic's name has its tenant's in it, so
// it must never be a label: the worst of all is shown, and the log says which it is.
import { Injectable } from '@nestjs/common';
import type { MetricFamily, MetricSource } from '#runtime';

/** Of one partition of one topic. */
export interface FeedLag {
  /** Records that are in the topic and not reported. */
  readonly recordCount: number;
  /** The age of the oldest of them; 0 where there is none. */
  readonly oldestMs: number;
}

@Injectable()
export class FeedMetrics implements MetricSource {
  readonly name = 'feeds';
  private readonly lags = new Map<string, FeedLag>();

  /** To be called by whoever reads a partition of a topic, as often as its place changes. */
  set(topic: string, partition: number, lag: FeedLag): void {
    this.lags.set(placeOf(topic, partition), lag);
  }

  /** The partition is another process's by now. */
  forget(topic: string, partition: number): void {
    this.lags.delete(placeOf(topic, partition));
  }

  async collect(): Promise<readonly MetricFamily[]> {
    const lags = [...this.lags.values()];
    const gauge = (name: string, help: string, value: number): MetricFamily => ({
      ...{ name, help, type: 'gauge', samples: [{ value }] },
    });
    return [
      gauge('duewatch_feed_partitions', 'Partitions of topics of facts that the process reads', lags.length),
      gauge(
        'duewatch_feed_lag_records',
        'Records in those that are not reported, in all of them together',
        lags.reduce((sum, { recordCount }) => sum + recordCount, 0),
      ),
      gauge(
        'duewatch_feed_lag_seconds',
        'The age of the oldest record that is not reported, of all of them; 0 where there is none',
        lags.reduce((most, { oldestMs }) => Math.max(most, oldestMs), 0) / 1_000,
      ),
    ];
  }
}

function placeOf(topic: string, partition: number): string {
  return `${topic} ${partition}`;
}
