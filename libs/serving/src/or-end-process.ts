// What must not be swallowed by whoever calls: Nest makes an answer of whatever a handler throws.

/**
 * Resolves as `work` does. What it throws is a bug: it is thrown where nobody catches it, which ends the process, and
 * whoever waits here waits for ever.
 */
export async function orEndProcess<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    void rethrow(error);
    return await new Promise<never>(() => undefined);
  }
}

async function rethrow(error: unknown): Promise<never> {
  throw error;
}
