// What was sent through this process and is not decided yet, as `/metrics` shows it.
import { Injectable } from '@nestjs/common';
import type { MetricFamily, MetricSource } from '#runtime';
import { Writes } from './writes.ts';

@Injectable()
export class WritesMetrics implements MetricSource {
  readonly name = 'writes';

  constructor(private readonly writes: Writes) {}

  async collect(): Promise<readonly MetricFamily[]> {
    const { bytes, count } = this.writes.undecidedTotal;
    return [
      {
        name: 'duewatch_undecided_writes',
        help: 'Writes of this process that are in the log, or on their way, and not known to be decided',
        type: 'gauge',
        samples: [{ value: count }],
      },
      {
        name: 'duewatch_undecided_bytes',
        help: 'The bytes of those writes; past a bound new ones are answered 429 or 503',
        type: 'gauge',
        samples: [{ value: bytes }],
      },
    ];
  }
}
