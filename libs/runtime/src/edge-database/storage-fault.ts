// Tells a database that cannot be reached, which passes, from everything else that a query may throw.
import { QueryFailedError, QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { isDiskFullAnswer } from '../disk-room.ts';
import { errorCode } from '../error-code.ts';

/** The database could not be reached or did not answer. */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError';
  readonly retryable = true;
}

/** What TypeORM throws for each further query on a connection that was lost in the middle of a transaction. */
const releasedErrors = [QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError];
const lostConnection =
  /^Connection terminated|^Client (has encountered a connection error|was closed)|timeout exceeded when trying to connect|timeout expired|Query read timeout/;

// SQLSTATE 08 connection, 25006 it takes no writes (a standby), 40 another's statement won (a deadlock), 53 resources (a full disk, too many connections), 57P shutdown, 58 input and output.
const outOfReach = /^(08|25006|40|53|57P|58|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN)/;

/** The server says that its disk is full. */
export function isStorageFull(error: unknown): boolean {
  const cause = error instanceof StorageUnavailableError ? driverErrorOf(error.cause) : driverErrorOf(error);
  return isDiskFullAnswer(errorCode(cause), cause instanceof Error ? cause.message : '');
}

/** What the server, the socket, or the driver says of a database that cannot be reached or was lost in mid-work. */
export function isStorageDown(error: unknown): boolean {
  if ([StorageUnavailableError, ...releasedErrors].some((kind) => error instanceof kind)) return true;
  const message = error instanceof Error ? error.message : '';
  return outOfReach.test(errorCode(driverErrorOf(error))) || lostConnection.test(message) || isStorageFull(error);
}

function driverErrorOf(error: unknown): unknown {
  return error instanceof QueryFailedError ? error.driverError : error;
}

/** The work's outcome, a connection fault as `StorageUnavailableError`. */
export async function withStorage<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!isStorageDown(error)) throw error;
    throw new StorageUnavailableError('the database of the edges did not answer', { cause: error });
  }
}
