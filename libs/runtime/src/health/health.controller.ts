// Answers the two health questions, without a key; it must never tell a stranger more than names and yes or no.
import { Controller, Get, Inject, Logger, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Clock } from '../clock.ts';
import { answerStatus } from '../problem/http-error-map.ts';
import { Public } from '../public.ts';
import { CLOCK } from '../tokens.ts';

export const HEALTH_CHECKS = Symbol('HealthChecks');

/** One thing the process needs: `check` resolves while it is there, and rejects with the reason otherwise. */
export interface HealthCheck {
  readonly name: string;
  check(): Promise<unknown>;
}

const checkTimeoutMs = 2_000;

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
    const waiting = new AbortController();
    try {
      const isAnswered = Promise.resolve()
        .then(() => check.check())
        .then(() => true);
      const isLate = this.clock.sleep(checkTimeoutMs, waiting.signal).then(() => false);
      if (await Promise.race([isAnswered, isLate])) return true;
      throw new Error(`no answer within ${checkTimeoutMs} ms`);
    } catch (error) {
      this.logger.warn(`${check.name} is not ready: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    } finally {
      waiting.abort();
    }
  }
}
