// How far the read model is behind the ledger, as `/metrics` shows it.
import { Inject, Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { EventLog } from '#event-log';
import { foldedOffset, READ_MODEL } from '#read-model';
import { EVENT_LOG, type MetricFamily, type MetricSource } from '#runtime';

interface Lag {
  readonly partition: number;
  readonly recordCount: number;
  readonly seconds: number;
}

@Injectable()
export class ProjectorMetrics implements MetricSource {
  readonly name = 'projector';

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(READ_MODEL) private readonly readModel: DataSource,
  ) {}

  async collect(): Promise<readonly MetricFamily[]> {
    const nowMs = await this.log.now();
    const partitions = Array.from({ length: this.log.partitionCount }, (_, partition) => partition);
    const lags = await Promise.all(partitions.map((partition) => this.lagOf(partition, nowMs)));
    return [
      {
        name: 'duewatch_projection_lag_records',
        help: 'Ledger records that are not in the read model',
        type: 'gauge',
        samples: lags.map(({ partition, recordCount }) => ({ labels: { partition }, value: recordCount })),
      },
      {
        name: 'duewatch_projection_lag_seconds',
        help: 'Since the oldest of them was written, by the log; 0 where all are in the read model',
        type: 'gauge',
        samples: lags.map(({ partition, seconds }) => ({ labels: { partition }, value: seconds })),
      },
    ];
  }

  /** Offsets need not be dense: none is behind where no record is found, whatever the ledger's end. */
  private async lagOf(partition: number, nowMs: number): Promise<Lag> {
    const from = (await foldedOffset(this.readModel, partition)) + 1;
    const [oldest] = await this.log.read('ledger', partition, { from, limit: 1 });
    if (oldest === undefined) return { partition, recordCount: 0, seconds: 0 };
    const { end } = await this.log.bounds('ledger', partition);
    return { partition, recordCount: end - oldest.offset, seconds: Math.max(0, nowMs - oldest.appendedAt) / 1_000 };
  }
}
