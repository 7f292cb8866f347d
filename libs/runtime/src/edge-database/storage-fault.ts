// Tells a database that cannot be reached, which passes, from everything else that a query may throw.
import { QueryFailedError } from 'typeorm';
import { errorCode } from '../error-code.ts';

/** The database could not be reached or did not answer. */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError';
  readonly retryable = true;
}

/** Connection faults: SQLSTATE classes 08 and 57P, too many connections, and the socket's own errors. */
export function isStorageDown(error: unknown): boolean {
  if (error instanceof StorageUnavailableError) return true;
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  const message = error instanceof Error ? error.message : '';
  return /^(08|57P|53300|ECONN|EPIPE|ETIMEDOUT)/.test(errorCode(cause)) || /^Connection terminated/.test(message);
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
