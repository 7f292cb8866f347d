// The errors of the embedded server.

/** The embedded PostgreSQL could not be made, started or stopped; the message says what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name: string = 'EmbeddedPostgresError';
  readonly retryable: boolean = false;
}

/** Another process has the data directory. */
export class ServerTakenError extends EmbeddedPostgresError {
  override readonly name = 'ServerTakenError';
}

/** A server is starting, recovering or ending, or something of one is left: it passes within moments. */
export class ServerBusyError extends EmbeddedPostgresError {
  override readonly name = 'ServerBusyError';
  override readonly retryable = true;
}

/** The disk has no room for it: it passes once somebody has made some. */
export class NoRoomError extends EmbeddedPostgresError {
  override readonly name = 'NoRoomError';
  override readonly retryable = true;
}

/** Something else listens on its port. */
export class PortTakenError extends EmbeddedPostgresError {
  override readonly name = 'PortTakenError';
}
