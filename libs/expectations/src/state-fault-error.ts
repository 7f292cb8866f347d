// A bug that no single input is to blame for: the tenant's state throws whatever it is told.

/** Thrown by `decide` and `advance` where a deadline or the fold throws. The state is no longer to be used. */
export class StateFaultError extends Error {
  override readonly name = 'StateFaultError';
}
