// Bounds in time what strangers answer. `AbortSignal.any` is not used for it: on Node 20 a timeout that only a composite
// signal refers to is collected as garbage and never fires, and a long-lived source keeps every composite's entry.

/**
 * Runs `call` with a signal that aborts with `signal`, or after `timeoutMs` with a `TimeoutError`. What `call` throws
 * once it is aborted is thrown as the reason it was aborted for.
 */
export async function withinTime<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  // A signal with a listener is kept until it fires.
  const sources = [AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])];
  function end(this: AbortSignal): void {
    ended.abort(this.reason);
  }
  for (const source of sources) {
    if (source.aborted) ended.abort(source.reason);
    source.addEventListener('abort', end);
  }
  try {
    return await call(ended.signal);
  } catch (error) {
    throw ended.signal.aborted ? ended.signal.reason : error;
  } finally {
    for (const source of sources) source.removeEventListener('abort', end);
  }
}
