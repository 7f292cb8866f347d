// One try to tell a sink: bounded in time, to no address that may not be called, following no redirect.
// How it failed is told without the sink's address: that may be a secret.
import { AddressRefusedError, type Outbound, passingStatuses, readRetryAfter } from '#outbound';
import { type Clock, linked } from '#runtime';
import type { NoticeMessage } from './notice-message.ts';

const timeoutMs = 10_000;

/** Why it is not known to be taken. */
export interface DeliveryFailure {
  readonly cause: string;
  /** It would be answered the same again. */
  readonly isForGood?: true;
  readonly retryAfterMs?: number;
}

export interface DeliveryPorts {
  readonly outbound: Outbound;
  readonly clock: Clock;
}

/** Undefined where the sink has taken it. Never rejects for what the sink does. */
export async function deliver(
  { outbound, clock }: DeliveryPorts,
  { url, headers, body }: NoticeMessage,
  signal: AbortSignal,
): Promise<DeliveryFailure | undefined> {
  const ending = new AbortController();
  const ended = new AbortController();
  return linked(signal, ending, async () => {
    void clock.sleep(timeoutMs, ended.signal).then(() => ending.abort());
    try {
      const response = await outbound.as().fetch(url, { method: 'POST', headers, body, signal: ending.signal });
      // What it says besides is of no interest, and may be endless.
      await response.body?.cancel();
      return response.ok ? undefined : refused(response, clock.now());
    } catch (error) {
      return { cause: causeOf(error, ending.signal) };
    } finally {
      ended.abort();
    }
  });
}

function refused({ status, headers }: Response, nowMs: number): DeliveryFailure {
  const cause = `it answered with ${status}`;
  if (status >= 400 && status < 500 && !passingStatuses.has(status)) return { cause, isForGood: true };
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), nowMs);
  return { cause, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

function causeOf(error: unknown, signal: AbortSignal): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof AddressRefusedError) return `it is not called: ${cause.message}`;
  if (signal.aborted) return `it gave no answer within ${timeoutMs} ms`;
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return `it cannot be reached${code}`;
}
