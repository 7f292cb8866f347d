// The client's errors in the port's words.
import { types } from 'node:util';
import { LogUnavailableError } from '#event-log';

const bugs: ReadonlySet<string> = new Set([
  'AssertionError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
]);

/** The name that the protocol gives the error, `FENCED` and the like; undefined where a connection failed. */
export function protocolTypeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('type' in error && typeof error.type === 'string') return error.type;
  return 'cause' in error ? protocolTypeOf(error.cause) : undefined;
}

/** The error to throw: `LogUnavailableError` over what Kafka answered or did not; anything else, a bug, as it is. */
export function toLogFault(error: unknown): unknown {
  if (!types.isNativeError(error) || bugs.has(error.name) || 'retryable' in error) return error;
  return new LogUnavailableError(`the log is unavailable: ${error.message}`, { cause: error });
}
