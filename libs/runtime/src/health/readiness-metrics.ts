// What `/health/ready` would answer, as a number for each check.
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../clock.ts';
import type { MetricFamily, MetricSource } from '../metrics/metric-source.ts';
import { CLOCK } from '../tokens.ts';
import { HEALTH_CHECKS, type HealthCheck, whyNotReady } from './readiness.ts';

@Injectable()
export class ReadinessMetrics implements MetricSource {
  readonly name = 'readiness';

  constructor(
    @Inject(HEALTH_CHECKS) private readonly checks: readonly HealthCheck[],
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async collect(): Promise<readonly MetricFamily[]> {
    const sampleOf = async (check: HealthCheck) => ({
      labels: { check: check.name },
      value: (await whyNotReady(check, this.clock)) === undefined ? 1 : 0,
    });
    return [
      {
        name: 'duewatch_ready',
        help: '1 while what the check asks for is there, as /health/ready says it',
        type: 'gauge',
        samples: await Promise.all(this.checks.map(sampleOf)),
      },
    ];
  }
}
