// What was parked, by the decider and by the fold, as `/metrics` shows it: counted in the read model, so that it is the
// same whichever process is asked, and stays after a restart.
import { Inject, Injectable } from '@nestjs/common';
import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import { ParkedInputRow, ParkedRecordRow, READ_MODEL } from '#read-model';
import type { MetricFamily, MetricSample, MetricSource } from '#runtime';

@Injectable()
export class ParkedMetrics implements MetricSource {
  readonly name = 'parked';

  constructor(@Inject(READ_MODEL) private readonly readModel: DataSource) {}

  async collect(): Promise<readonly MetricFamily[]> {
    return [
      {
        name: 'duewatch_parked_inputs',
        help: 'Inputs on which the decider threw twice, and which have no other outcome',
        type: 'gauge',
        samples: await this.count(ParkedInputRow),
      },
      {
        name: 'duewatch_parked_records',
        help: 'Ledger records that could not be folded into the read model',
        type: 'gauge',
        samples: await this.count(ParkedRecordRow),
      },
    ];
  }

  private async count(table: EntityTarget<ObjectLiteral>): Promise<MetricSample[]> {
    return [{ value: await this.readModel.getRepository(table).count() }];
  }
}
