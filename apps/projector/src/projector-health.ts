// Whether the read model keeps up: how old the oldest record is that is not folded yet.
import { Inject, Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { EventLog } from '#event-log';
import { foldedOffset, READ_MODEL } from '#read-model';
import { EVENT_LOG, type HealthCheck } from '#runtime';

const mostLagMs = 30_000;

@Injectable()
export class ProjectorHealth implements HealthCheck {
  readonly name = 'projector';

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(READ_MODEL) private readonly readModel: DataSource,
  ) {}

  /** Rejects, naming the partition, where a record has waited for more than 30 s. */
  async check(): Promise<void> {
    const partitions = Array.from({ length: this.log.partitionCount }, (_, partition) => partition);
    const lags = await Promise.all(partitions.map((partition) => this.lagMs(partition)));
    const partition = lags.findIndex((lagMs) => lagMs > mostLagMs);
    if (partition !== -1) throw new Error(`partition ${partition} is ${lags[partition] ?? 0} ms behind the ledger`);
  }

  /** Milliseconds by the log's clock since the oldest record not folded was appended; 0 where all are. */
  async lagMs(partition: number): Promise<number> {
    const from = (await foldedOffset(this.readModel, partition)) + 1;
    const [record] = await this.log.read('ledger', partition, { from, limit: 1 });
    return record === undefined ? 0 : Math.max(0, (await this.log.now()) - record.appendedAt);
  }
}
