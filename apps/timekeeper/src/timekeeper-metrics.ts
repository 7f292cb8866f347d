// How deciding goes, partition by partition, as `/metrics` shows it. It asks nothing but what the process has in memory:
// these numbers are there when the log is not.
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, type MetricFamily, type MetricSample, type MetricSource } from '#runtime';
import type { DecidingFigures, PartitionFigures } from './partition-figures.ts';
import { Timekeeper } from './timekeeper.ts';

@Injectable()
export class TimekeeperMetrics implements MetricSource {
  readonly name = 'timekeeper';

  constructor(
    private readonly timekeeper: Timekeeper,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async collect(): Promise<readonly MetricFamily[]> {
    const all = this.timekeeper.figures();
    return [...this.lateness(all), ...states(all), ...this.holds(all), ...totals(all)];
  }

  private lateness(all: readonly PartitionFigures[]): MetricFamily[] {
    const lags = gaugeOf(all, (figures) => this.lagMs(figures) / 1_000);
    const longest = lags.map(({ value }) => value).reduce((most, lag) => Math.max(most, lag), 0);
    return [
      {
        name: 'duewatch_judgement_lag_seconds',
        help: 'Now, by the log, minus the oldest deadline that is not judged; 0 where none has passed. Held tenants are left out',
        type: 'gauge',
        samples: lags,
      },
      {
        name: 'duewatch_judgement_lag_max_seconds',
        help: 'The longest judgement lag of the partitions that the process serves',
        type: 'gauge',
        samples: lags.length === 0 ? [] : [{ value: longest }],
      },
      {
        name: 'duewatch_clock_difference_seconds',
        help: "The log's clock minus the process's, as measured with the last tick",
        type: 'gauge',
        samples: gaugeOf(all, ({ clockDifferenceMs }) => clockDifferenceMs / 1_000),
      },
    ];
  }

  private lagMs({ earliestDeadlineMs, clockDifferenceMs }: DecidingFigures): number {
    if (earliestDeadlineMs === undefined) return 0;
    return Math.max(0, this.clock.now() + clockDifferenceMs - earliestDeadlineMs);
  }

  private holds(all: readonly PartitionFigures[]): MetricFamily[] {
    const sinceMs = (figures: DecidingFigures): number =>
      figures.heldSinceMs === undefined ? 0 : this.clock.now() + figures.clockDifferenceMs - figures.heldSinceMs;
    return [
      gauge(
        'duewatch_partition_held',
        '1 while nothing of the partition is decided until an operator releases it',
        all,
        (figures) => (figures.isHeld ? 1 : 0),
      ),
      gauge(
        'duewatch_held_tenants',
        'Tenants whose inputs and deadlines wait for a release',
        all,
        (figures) => figures.heldTenantCount,
      ),
      gauge(
        'duewatch_held_tenant_longest_seconds',
        'For how long the longest held tenant has waited; 0 where none is held',
        all,
        (figures) => Math.max(0, sinceMs(figures) / 1_000),
      ),
    ];
  }
}

function states(all: readonly PartitionFigures[]): MetricFamily[] {
  return [
    {
      name: 'duewatch_partition_deciding',
      help: '1 while the partition is recovered, not held, and its input is being decided',
      type: 'gauge',
      samples: all.map(({ partition, isDeciding }) => ({ labels: { partition }, value: isDeciding ? 1 : 0 })),
    },
    {
      name: 'duewatch_partition_restore_seconds',
      help: 'How long the last take-over of the partition took until its input could be decided',
      type: 'gauge',
      samples: all.flatMap(({ partition, tally: { restoredInMs } }) =>
        restoredInMs === undefined ? [] : { labels: { partition }, value: restoredInMs / 1_000 },
      ),
    },
    gauge('duewatch_open_expectations', 'Expectations that are open', all, ({ openCount }) => openCount),
    gauge('duewatch_tenants', 'Tenants of whom anything was ever decided', all, ({ tenantCount }) => tenantCount),
  ];
}

function totals(all: readonly PartitionFigures[]): MetricFamily[] {
  return [
    {
      name: 'duewatch_inputs_decided_total',
      help: 'Inbox records decided, ticks included',
      type: 'counter',
      samples: all.map(({ partition, tally }) => ({ labels: { partition }, value: tally.inputCount })),
    },
    {
      name: 'duewatch_events_written_total',
      help: 'Events decided and sent to the ledger, by type',
      type: 'counter',
      samples: all.flatMap(({ partition, tally }) =>
        Array.from(tally.eventCounts, ([type, value]) => ({ labels: { partition, type }, value })),
      ),
    },
  ];
}

function gauge(
  name: string,
  help: string,
  all: readonly PartitionFigures[],
  valueOf: (figures: DecidingFigures) => number,
): MetricFamily {
  return { name, help, type: 'gauge', samples: gaugeOf(all, valueOf) };
}

/** Of each partition of which anything is known. */
function gaugeOf(all: readonly PartitionFigures[], valueOf: (figures: DecidingFigures) => number): MetricSample[] {
  return all.flatMap(({ partition, deciding }) =>
    deciding === undefined ? [] : { labels: { partition }, value: valueOf(deciding) },
  );
}
