// What running tasks were reminded of and are still to be, as `/metrics` shows it. It must never name a tenant or an agent.
import { Inject, Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { CLOCK, type Clock, type MetricFamily, type MetricSource } from '#runtime';
import { Dispatcher } from '../dispatcher.ts';
import { DISPATCH_DATABASE } from '../outbox/dispatch-database.ts';

@Injectable()
export class ReminderMetrics implements MetricSource {
  readonly name = 'reminders';

  constructor(
    private readonly dispatcher: Dispatcher,
    @Inject(DISPATCH_DATABASE) private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async collect(): Promise<readonly MetricFamily[]> {
    const { partitions, remindersEnded } = this.dispatcher;
    // Only what is late: of what is to come there may be millions.
    const counts: { partition: number; count: number }[] = await this.database.query(
      `SELECT partition, count(*)::int AS count FROM duewatch_dispatch.reminder
       WHERE partition = ANY ($1) AND state = 'pending' AND next_at <= $2 GROUP BY partition`,
      [partitions, new Date(this.clock.now())],
    );
    const countOf = new Map(counts.map(({ partition, count }) => [partition, count]));
    return [
      {
        name: 'duewatch_reminders_due',
        help: 'Reminders of running tasks that are to be told now: just due, or under a pause',
        type: 'gauge',
        samples: partitions.map((partition) => ({ labels: { partition }, value: countOf.get(partition) ?? 0 })),
      },
      {
        name: 'duewatch_reminders_total',
        help: 'Reminders of running tasks by how they ended: told; over, the task was; untold, as the agent shows; late, nobody had sent them while they were of use',
        type: 'counter',
        samples: Object.entries(remindersEnded).map(([end, value]) => ({ labels: { end }, value })),
      },
    ];
  }
}
