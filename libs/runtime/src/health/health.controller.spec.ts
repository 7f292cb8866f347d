import { Logger } from '@nestjs/common';
import type { Response } from 'express';
import { systemClock } from '../clock.ts';
import { HealthController } from './health.controller.ts';
import type { HealthCheck } from './readiness.ts';

const answer = async (...checks: readonly HealthCheck[]) => {
  let status = 0;
  const response = { status: (code: number) => (status = code) } as unknown as Response;
  const clock = { ...systemClock, sleep: () => new Promise<void>((resolve) => setImmediate(resolve)) };
  return { body: await new HealthController(checks, clock).ready(response), status };
};

const present: HealthCheck = { name: 'log', check: () => Promise.resolve() };

Logger.overrideLogger(false);

describe('health', () => {
  it('is ready while everything that is needed is there', async () => {
    expect(await answer(present)).toEqual({
      status: 200,
      body: { ready: true, checks: [{ name: 'log', ready: true }] },
    });
  });

  it('is not ready while something is missing, or does not answer', async () => {
    const missing: HealthCheck = { name: 'database', check: () => Promise.reject(new Error('password wrong')) };
    const mute: HealthCheck = { name: 'mute', check: () => new Promise(() => undefined) };
    const { status, body } = await answer(present, missing, mute);
    expect(status).toBe(503);
    expect(body).toEqual({
      ready: false,
      checks: [
        { name: 'log', ready: true },
        { name: 'database', ready: false },
        { name: 'mute', ready: false },
      ],
    });
  });

  it('is not ready where a check is broken, and goes on', async () => {
    const broken = { name: 'broken' } as unknown as HealthCheck;
    expect(await answer(broken)).toMatchObject({ status: 503, body: { ready: false } });
    // What a check leaves behind would end the process by now.
    await new Promise((resolve) => setTimeout(resolve, 0));
  });

  it('is alive as long as it answers', () => {
    expect(new HealthController([], systemClock).live()).toEqual({ live: true });
  });
});
