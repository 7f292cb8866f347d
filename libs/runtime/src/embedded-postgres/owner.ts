// Who has the server: whoever holds a session-level lock in it, for as long as it lives. A process that was killed
// holds it no more; one that runs beside us does, and its server must not be taken from it.
import { Client, DatabaseError } from 'pg';
import { errorCode } from '../error-code.ts';
import { EmbeddedPostgresError, ServerBusyError, ServerTakenError } from './embedded-postgres-error.ts';

const ownerLock = 0x64756f77;

// Ending, killed, starting or recovering (57P01 to 57P03), or just gone.
const passing = /^(57P0[123]|ECONNREFUSED|ECONNRESET|EPIPE)$/;

/** A session that has the server until it ends. Throws `ServerTakenError` where another process has it, and `ServerBusyError`. */
export async function claimServer(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'duewatch-owner', keepAlive: true });
  // Who keeps the server hears of its `end`.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`SET lock_timeout = '3s'`);
    await client.query('SELECT pg_advisory_lock($1)', [ownerLock]);
    return client;
  } catch (cause) {
    await client.end();
    if (cause instanceof DatabaseError && cause.code === '55P03') {
      throw new ServerTakenError(
        'another Duewatch is running on this data directory: stop it, or give this one a directory of its own',
      );
    }
    const message = `cannot connect to the embedded PostgreSQL: ${String(cause)}`;
    if (passing.test(errorCode(cause))) throw new ServerBusyError(message, { cause });
    throw new EmbeddedPostgresError(message, { cause });
  }
}

/** Makes the database where it is not. */
export async function ensureDatabase(client: Client, name: string): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
}
