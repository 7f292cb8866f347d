// Keeps a stream from being written faster than its reader reads: the SDK writes whatever it is given.
import type { ServerResponse } from 'node:http';

/** Resolves once there is room for more, or nobody reads any more. */
export function drained(response: ServerResponse): Promise<void> {
  if (!response.writableNeedDrain || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
