// What callers are told of a fault: that it passes, or that it does not, and never its words, which the log has.
import { A2AError } from '@a2a-js/sdk/errors';
import type { LoggerService } from '@nestjs/common';
import { isWorldFault } from '#runtime';
import type { EdgeRefusal } from './wire/edge-error-map.ts';

/** A2A has no error for it, HTTP has: 503. */
export class UnavailableError extends A2AError {
  constructor(cause: unknown) {
    super({ message: unavailable.why, cause });
  }
}

export const unavailable: EdgeRefusal = {
  code: 'unavailable',
  why: 'what the agent keeps cannot be reached now: try again',
};

export function toldFault(error: unknown, log: LoggerService): A2AError {
  if (error instanceof A2AError) return error;
  if (isWorldFault(error)) {
    log.warn(String(error), 'AgentHost');
    return new UnavailableError(error);
  }
  log.error(error instanceof Error ? (error.stack ?? error.message) : String(error), 'AgentHost');
  return new A2AError({ message: 'the agent host could not do it', cause: error });
}
