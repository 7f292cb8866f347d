// How much of the inbox is not decided, as `/metrics` shows it. It asks the log, so it is away when the log is.
import { Inject, Injectable } from '@nestjs/common';
import { type EventLog, recordsBehind } from '#event-log';
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
    const followed = this.timekeeper
      .figures()
      .flatMap(({ partition, deciding }) =>
        deciding === undefined ? [] : { partition, nextOffset: deciding.nextOffset },
      );
    return [
      {
        name: 'duewatch_inbox_undecided_records',
        help: 'Inbox records that are not decided, those of held tenants left out',
        type: 'gauge',
        samples: await recordsBehind(this.log, 'inbox', followed),
      },
    ];
  }
}
