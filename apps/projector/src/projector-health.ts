// Whether the read model keeps up in the partitions that are folded here: how old the oldest record is that is not yet.
import { Inject, Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { EventLog } from '#event-log';
import { foldedOffset, READ_MODEL } from '#read-model';
import { EVENT_LOG, type HealthCheck } from '#runtime';
import { type Memberships, MEMBERSHIPS } from '#serving';

const mostLagMs = 30_000;

@Injectable()
export class ProjectorHealth implements HealthCheck {
  readonly name = 'projector';

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(READ_MODEL) private readonly readModel: DataSource,
    @Inject(MEMBERSHIPS) private readonly memberships: Memberships,
  ) {}

  /** Rejects, naming the partition, where a record of one that is folded here has waited for more than 30 s. */
  async check(): Promise<void> {
    const partitions = this.memberships.partitionsOf('projector');
    if (partitions === undefined) throw new Error('it is not known yet which partitions are to be folded here');
    const lags = await Promise.all(partitions.map((partition) => this.lagMs(partition)));
    const behind = lags.findIndex((lagMs) => lagMs > mostLagMs);
    if (behind !== -1) throw new Error(`partition ${partitions[behind]} is ${lags[behind]} ms behind the ledger`);
  }

  /** Milliseconds by the log's clock since the oldest record not folded was appended; 0 where all are. */
  async lagMs(partition: number): Promise<number> {
    const from = (await foldedOffset(this.readModel, partition)) + 1;
    const [record] = await this.log.read('ledger', partition, { from, limit: 1 });
    return record === undefined ? 0 : Math.max(0, (await this.log.now()) - record.appendedAt);
  }
}
