// What waits to be submitted, as `/metrics` shows it: from the outbox, of the partitions that the process serves.
import { Inject, Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { CLOCK, type Clock, type MetricFamily, type MetricSource } from '#runtime';
import { Dispatcher } from './dispatcher.ts';
import { DISPATCH_DATABASE } from './outbox/dispatch-database.ts';
import { type OutboxFigures, outboxFigures } from './outbox/outbox-figures.ts';

@Injectable()
export class DispatcherMetrics implements MetricSource {
  readonly name = 'dispatcher';

  constructor(
    private readonly dispatcher: Dispatcher,
    @Inject(DISPATCH_DATABASE) private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async collect(): Promise<readonly MetricFamily[]> {
    const { partitions } = this.dispatcher;
    const figures = await outboxFigures(this.database, partitions, new Date(this.clock.now()));
    return [
      {
        name: 'duewatch_dispatches',
        help: 'Lapses in the outbox, by state; held waits for a pause to end; submitted is with the agent, and the ledger does not say so yet',
        type: 'gauge',
        samples: figures.map(({ partition, state, count }) => ({ labels: { partition, state }, value: count })),
      },
      {
        name: 'duewatch_possible_duplicates_total',
        help: 'Attempts asked for that may make a second task, because nobody can tell what became of an earlier one; also where the log then voids them',
        type: 'counter',
        samples: [{ value: this.dispatcher.possibleDuplicatesCount }],
      },
      {
        name: 'duewatch_undelivered_oldest_seconds',
        help: 'Since the oldest lapse whose dispatch is neither concluded, voided, parked nor held; 0 where there is none',
        type: 'gauge',
        samples: partitions.map((partition) => ({
          labels: { partition },
          value: this.ageMs(figures.filter((each) => each.partition === partition)) / 1_000,
        })),
      },
    ];
  }

  private ageMs(figures: readonly OutboxFigures[]): number {
    const nowMs = this.clock.now();
    const undelivered = figures.filter(({ state }) => state !== 'parked' && state !== 'held');
    return undelivered.reduce((most, { oldestAtMs }) => Math.max(most, nowMs - oldestAtMs), 0);
  }
}
