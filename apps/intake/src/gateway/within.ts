// A signal for what may take only so long.

/**
 * Aborts after so long, or when `ended` does. Not by `AbortSignal.any`: what Node keeps of its timeouts may be collected
 * before they fire, while a signal with a listener is kept until it has.
 */
export function within(durationMs: number, ended?: AbortSignal): AbortSignal {
  const timeout = AbortSignal.timeout(durationMs);
  const both = new AbortController();
  timeout.addEventListener('abort', () => both.abort(timeout.reason), { once: true });
  ended?.addEventListener('abort', () => both.abort(ended.reason), { once: true, signal: both.signal });
  if (ended?.aborted === true) both.abort(ended.reason);
  return both.signal;
}
