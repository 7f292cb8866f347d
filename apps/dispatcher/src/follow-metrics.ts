// How far the dispatcher is behind the ledger, as `/metrics` shows it: a lapse that it has not read is in no outbox.
import { Inject, Injectable } from '@nestjs/common';
import { type EventLog, recordsBehind } from '#event-log';
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
    return [
      {
        name: 'duewatch_dispatch_ledger_lag_records',
        help: 'Ledger records that the dispatcher has not read',
        type: 'gauge',
        samples: await recordsBehind(this.log, 'ledger', this.dispatcher.followed),
      },
    ];
  }
}
