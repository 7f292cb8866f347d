// What a failed question about a task means, from what the wire saw and what the agent said. In doubt: it is away.
import { isJsonRpcError } from '@a2a-js/sdk/errors';
import type { Exchange } from './exchange.ts';
import { failedOutcome } from './send-error-map.ts';
import { isObject } from './shape.ts';
import { TaskReadError, type TaskReadFault } from './task-reader.ts';

/** By the SDK's names of A2A's errors: its bundles repeat their classes. */
const faultsByName: ReadonlyMap<unknown, TaskReadFault> = new Map([
  ['TaskNotFoundError', 'unknownTask'],
  ['UnsupportedOperationError', 'unsupported'],
  ['PushNotificationNotSupportedError', 'unsupported'],
  ['VersionNotSupportedError', 'unsupported'],
]);
const methodNotFound = -32_601;
const wrongPlace = new Set([404, 405, 501]);

/** The error to throw for what a call threw. `asksForTask`: a place that is not there is then the task's. */
export function taskReadError(
  error: unknown,
  exchange: Exchange,
  { asksForTask, nowMs }: { readonly asksForTask: boolean; readonly nowMs: number },
): TaskReadError {
  if (error instanceof TaskReadError) return error;
  const failed = failedOutcome(error, exchange, nowMs);
  // An error within a stream is told as the cause of another.
  const said = [error, isObject(error) ? error['cause'] : undefined];
  const named = said.flatMap((each) => (isObject(each) ? (faultsByName.get(each['name']) ?? []) : []))[0];
  const retry = 'retryAfterMs' in failed ? { retryAfterMs: failed.retryAfterMs } : {};
  return new TaskReadError(named ?? unnamed(said, failed.outcome, exchange, asksForTask), failed.cause, {
    cause: error,
    ...retry,
  });
}

function unnamed(
  said: readonly unknown[],
  outcome: ReturnType<typeof failedOutcome>['outcome'],
  { stage, status }: Exchange,
  asksForTask: boolean,
): TaskReadFault {
  if (said.some((each) => isJsonRpcError(each) && each.envelopeCode === methodNotFound)) return 'unsupported';
  if (stage === 'answered' && wrongPlace.has(status))
    return asksForTask && status === 404 ? 'unknownTask' : 'unsupported';
  return outcome === 'refused' ? 'refused' : 'away';
}
