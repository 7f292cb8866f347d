// The errors of the embedded server.

/** The embedded PostgreSQL could not be made, started or stopped; the message says what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name: string = 'EmbeddedPostgresError';
  readonly retryable = false;
}

/** Another process has the data directory. */
export class ServerTakenError extends EmbeddedPostgresError {
  override readonly name = 'ServerTakenError';
}
