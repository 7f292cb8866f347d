// The one error of the embedded server.

/** The embedded PostgreSQL could not be made, started or stopped; the message says what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly retryable = false;
}
