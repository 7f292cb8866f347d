// How much of the inbox is not decided, as `/metrics` shows it. It asks the log, so it is away when the log is.
import { Inject, Injectable } from '@nestjs/common';
import type { EventLog } from '#event-log';
import { EVENT_LOG, type MetricFamily, type MetricSource } from '#runtime';
import { Timekeeper } from './timekeeper.ts';

@Injectable()
export class InboxMetrics implements MetricSource {
  readonly name = 'inbox';

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    private readonly timekeeper: Timekeeper,
  ) {}

  async collect(): Promise<readonly MetricFamily[]> {
    const known = this.timekeeper
      .figures()
      .flatMap(({ partition, deciding }) => (deciding === undefined ? [] : { partition, from: deciding.nextOffset }));
    const samples = known.map(async ({ partition, from }) => {
      const { end } = await this.log.bounds('inbox', partition);
      return { labels: { partition }, value: Math.max(0, end - from) };
    });
    return [
      {
        name: 'duewatch_inbox_undecided_records',
        help: 'Inbox records that are not decided, those of held tenants left out',
        type: 'gauge',
        samples: await Promise.all(samples),
      },
    ];
  }
}
