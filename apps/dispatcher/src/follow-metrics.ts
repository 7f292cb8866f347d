// How far the dispatcher is behind the ledger, as `/metrics` shows it: a lapse that it has not read is in no outbox.
import { Inject, Injectable } from '@nestjs/common';
import type { EventLog } from '#event-log';
import { EVENT_LOG, type MetricFamily, type MetricSource } from '#runtime';
import { Dispatcher } from './dispatcher.ts';

@Injectable()
export class FollowMetrics implements MetricSource {
  readonly name = 'dispatcher-ledger';

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    private readonly dispatcher: Dispatcher,
  ) {}

  async collect(): Promise<readonly MetricFamily[]> {
    const samples = this.dispatcher.followed.map(async ({ partition, nextOffset }) => {
      const { end } = await this.log.bounds('ledger', partition);
      return { labels: { partition }, value: Math.max(0, end - nextOffset) };
    });
    return [
      {
        name: 'duewatch_dispatch_ledger_lag_records',
        help: 'Ledger records that the dispatcher has not read',
        type: 'gauge',
        samples: await Promise.all(samples),
      },
    ];
  }
}
