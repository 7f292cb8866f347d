// Which of the driver's and the server's errors mean that the log is unavailable: trying again may help.
import { types } from 'node:util';
import { DatabaseError } from 'pg';
import { LogFullError, LogUnavailableError } from '#event-log';
import { isDiskFullAnswer } from '#runtime';

// Connection (08), resources (53), operator intervention and shutdown (57), I/O (58), lock timeout (55P03),
// serialization and deadlock (40), a server that takes no writes (25006).
const unavailable = /^(08|53|57|58|40)|^(55P03|25006)$/;

const bugs: ReadonlySet<string> = new Set([
  'AssertionError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
]);

/** The error to throw: `LogUnavailableError` over what the world did; anything else, a bug, as it is. */
export function toLogFault(error: unknown): unknown {
  if (error instanceof DatabaseError && isDiskFullAnswer(error.code ?? '', error.message)) {
    return new LogFullError(`the disk of the log is full: ${error.message}`, { cause: error });
  }
  return isUnavailable(error)
    ? new LogUnavailableError(`the log is unavailable: ${error.message}`, { cause: error })
    : error;
}

/** What the server did not say, a socket or the driver's connection did. */
function isUnavailable(error: unknown): error is Error {
  if (error instanceof DatabaseError) return unavailable.test(error.code ?? '');
  return types.isNativeError(error) && !bugs.has(error.name) && !('retryable' in error);
}
