// One thing the process needs, asked whether it is there. It must never wait for longer than a probe would.
import type { Clock } from '../clock.ts';

export const HEALTH_CHECKS = Symbol('HealthChecks');

/** One thing the process needs: `check` resolves while it is there, and rejects with the reason otherwise. */
export interface HealthCheck {
  readonly name: string;
  check(): Promise<unknown>;
}

const checkTimeoutMs = 2_000;

/** Undefined where it is there; else the reason. */
export async function whyNotReady(check: HealthCheck, clock: Clock): Promise<string | undefined> {
  const waiting = new AbortController();
  try {
    const isAnswered = Promise.resolve()
      .then(() => check.check())
      .then(() => true);
    const isLate = clock.sleep(checkTimeoutMs, waiting.signal).then(() => false);
    return (await Promise.race([isAnswered, isLate])) ? undefined : `no answer within ${checkTimeoutMs} ms`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    waiting.abort();
  }
}
