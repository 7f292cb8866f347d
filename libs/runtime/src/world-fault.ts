// Tells what the world is at fault for, and may go well later, from a bug.
import { isStorageDown } from './edge-database/storage-fault.ts';

/** As the error says of itself (`retryable`); of what says nothing, where a database is out of reach. False for a bug. */
export function isWorldFault(error: unknown): boolean {
  if (error instanceof Error && 'retryable' in error) return error.retryable === true;
  return isStorageDown(error);
}
