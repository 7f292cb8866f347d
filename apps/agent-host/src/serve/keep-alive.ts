// Streams that have nothing to say for a while say so in a comment, which every reader of events ignores: proxies take a
// connection that is still for one that is gone.
import type { RequestHandler, Response } from 'express';
import type { Clock } from '#runtime';

/** Half of the shortest patience that proxies are known for, 30 seconds. */
export const defaultStillMs = 15_000;

const comment = ': heartbeat\n\n';

/** Before a transport that writes streams. A stream is never still for longer than `stillMs`, unless it is not read. */
export function keepAlive(clock: Clock, stillMs: number): RequestHandler {
  return (_, response, next) => {
    // By sending the head before there is anything to say, the SDK begins a stream.
    const flushHeaders = response.flushHeaders.bind(response);
    response.flushHeaders = () => {
      flushHeaders();
      void keepSaying(response, clock, stillMs);
    };
    next();
  };
}

async function keepSaying(response: Response, clock: Clock, stillMs: number): Promise<void> {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  let saidAtMs = clock.now();
  const write = response.write.bind(response);
  response.write = ((...chunk: Parameters<typeof write>) => {
    saidAtMs = clock.now();
    return write(...chunk);
  }) as typeof response.write;
  while (!closed.signal.aborted) {
    const restMs = saidAtMs + stillMs - clock.now();
    if (restMs > 0) await clock.sleep(restMs, closed.signal);
    // What waits to be read says enough.
    else if (response.writableEnded || response.writableNeedDrain) saidAtMs = clock.now();
    else response.write(comment);
  }
}
