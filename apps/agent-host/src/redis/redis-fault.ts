// Tells a Redis that is away, or takes nothing for now, which passes, from everything else that a command may throw.
// It must never let an error through that holds what was sent: commands hold callers' words, and the password.
import { StorageUnavailableError } from '#runtime';

// Loading its data, a replica now, out of memory, out of disk, busy with a script, or its credentials are being changed.
const passing =
  /(^|\s-?)(READONLY|LOADING|OOM|MISCONF|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|NOREPLICAS|NOAUTH|WRONGPASS|UNKILLABLE)\b/;
const lostConnection =
  /^Connection is closed|^Command timed out|^Stream isn't writeable|^Command aborted|^Ready check failed|^Reached the max retries|ETIMEDOUT|EPIPE/;

export function isRedisDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'ReplyError') return passing.test(error.message);
  return 'syscall' in error || lostConnection.test(error.message);
}

export function isTimeOut(error: unknown): boolean {
  return error instanceof Error && error.message === 'Command timed out';
}

/** The work's outcome, what passes as `StorageUnavailableError`: whether what was sent was done is then not known. */
export async function withRedis<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    forgetCommand(error);
    if (!isRedisDown(error)) throw error;
    const code = error instanceof Error && error.name === 'ReplyError' ? passing.exec(error.message)?.[2] : undefined;
    const message = code === undefined ? 'Redis did not answer' : `Redis takes nothing for now: ${code}`;
    throw new StorageUnavailableError(message, { cause: error });
  }
}

/** The client notes with an error what it had sent. */
export function forgetCommand(error: unknown): void {
  if (error instanceof Error && 'command' in error) delete error.command;
}
