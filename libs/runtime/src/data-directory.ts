// The directory in which everything is kept: made where it is not, and found out at once where it cannot be used.
import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The data directory cannot be made, or not be written. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
  readonly retryable = false;
}

/** Throws `DataDirectoryError`. */
export async function prepareDataDirectory(path: string): Promise<void> {
  try {
    await makeDirectory(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new DataDirectoryError(`the data directory ${path} cannot be used: set DUEWATCH_DATA_DIR to another`, {
      cause,
    });
  }
}

/**
 * Makes the directory and those above it, where they are not. `recursive` of Node is not used: below a directory that
 * takes none, as /proc, it tries for ever.
 */
async function makeDirectory(path: string): Promise<void> {
  const parent = dirname(path);
  if (parent !== path && !(await isDirectory(parent))) await makeDirectory(parent);
  try {
    await mkdir(path);
  } catch (error) {
    if (!(await isDirectory(path))) throw error;
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
