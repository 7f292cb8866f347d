// What people are still to be told, as `/metrics` shows it. It must never name a tenant or a sink.
import { Inject, Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { MetricFamily, MetricSource } from '#runtime';
import { Dispatcher } from '../dispatcher.ts';
import { DISPATCH_DATABASE } from '../outbox/dispatch-database.ts';

@Injectable()
export class NoticeMetrics implements MetricSource {
  readonly name = 'notices';

  constructor(
    private readonly dispatcher: Dispatcher,
    @Inject(DISPATCH_DATABASE) private readonly database: DataSource,
  ) {}

  async collect(): Promise<readonly MetricFamily[]> {
    const { partitions, noticesGivenUp } = this.dispatcher;
    const counts: { partition: number; count: number }[] = await this.database.query(
      'SELECT partition, count(*)::int AS count FROM duewatch_dispatch.notice WHERE partition = ANY ($1) GROUP BY partition',
      [partitions],
    );
    const countOf = new Map(counts.map(({ partition, count }) => [partition, count]));
    return [
      {
        name: 'duewatch_notices',
        help: 'Notifications of lapses to people that are being gathered or that no sink has taken yet',
        type: 'gauge',
        samples: partitions.map((partition) => ({ labels: { partition }, value: countOf.get(partition) ?? 0 })),
      },
      {
        name: 'duewatch_notices_given_up_total',
        help: 'Notifications of lapses that their sink is not told: it refused them for good, or has not taken them for a day',
        type: 'counter',
        samples: Object.entries(noticesGivenUp).map(([reason, value]) => ({ labels: { reason }, value })),
      },
    ];
  }
}
