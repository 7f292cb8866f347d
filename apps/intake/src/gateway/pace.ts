// Writes to a client at the pace at which it reads. It must never wait for ever for one that does not read: the agent would be
// kept waiting with it, and what it goes on to say would not be seen.
import type { Writable } from 'node:stream';
import type { Clock } from '#runtime';

export interface Pace {
  readonly clock: Clock;
  /** For so long a client may read nothing. */
  readonly drainMs: number;
  /** Called before one that has read nothing for so long is cut off. */
  readonly onCut: () => void;
}

const sliceBytes = 65_536;

/** Resolves once more may be written; also where nobody is there to read it. */
export async function writeAtPace(response: Writable, bytes: Uint8Array, pace: Pace): Promise<void> {
  if (bytes.length === 0 || response.destroyed || response.write(bytes)) return;
  const drained = new AbortController();
  const done = (): void => drained.abort();
  response.once('drain', done).once('close', done);
  await pace.clock.sleep(pace.drainMs, drained.signal);
  response.off('drain', done).off('close', done);
  if (drained.signal.aborted) return;
  pace.onCut();
  response.destroy();
}

/** The last bytes, or all of them; resolves once the client has read all but a little. */
export async function endAtPace(response: Writable, bytes: Uint8Array, pace: Pace): Promise<void> {
  let at = 0;
  for (; bytes.length - at > sliceBytes; at += sliceBytes) {
    await writeAtPace(response, bytes.subarray(at, at + sliceBytes), pace);
  }
  if (!response.destroyed) response.end(bytes.subarray(at));
}
