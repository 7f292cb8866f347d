// Answers the two health questions, without a key; it must never tell a stranger more than names and yes or no.
import { Controller, Get, Inject, Logger, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Clock } from '../clock.ts';
import { answerStatus } from '../problem/http-error-map.ts';
import { Public } from '../public.ts';
import { CLOCK } from '../tokens.ts';
import { HEALTH_CHECKS, type HealthCheck, whyNotReady } from './readiness.ts';

@Controller('health')
@Public()
export class HealthController {
  private readonly logger = new Logger(HealthController.name);

  constructor(
    @Inject(HEALTH_CHECKS) private readonly checks: readonly HealthCheck[],
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get('live')
  live(): unknown {
    return { live: true };
  }

  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response): Promise<unknown> {
    const checks = await Promise.all(
      this.checks.map(async (check) => ({ name: check.name, ready: await this.passes(check) })),
    );
    const ready = checks.every((check) => check.ready);
    response.status(ready ? answerStatus.ready : answerStatus.notReady);
    return { ready, checks };
  }

  private async passes(check: HealthCheck): Promise<boolean> {
    const reason = await whyNotReady(check, this.clock);
    if (reason !== undefined) this.logger.warn(`${check.name} is not ready: ${reason}`);
    return reason === undefined;
  }
}
