// Refuses a server on which a committed record could be lost or changed.
import type { ClientBase } from 'pg';
import { LogMisconfiguredError } from '#event-log';

/** Throws `LogMisconfiguredError` unless the server flushes what it commits and keeps any text. */
export async function assertDurable(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit')`,
  );
  const off = rows.filter(({ setting }) => setting === 'off').map(({ name }) => name);
  if (off.length > 0) {
    throw new LogMisconfiguredError(
      'not_durable',
      `the PostgreSQL server has ${off.join(' and ')} off, so that a crash could lose what was acknowledged: switch ` +
        `${off.length === 1 ? 'it' : 'them'} on`,
    );
  }
}

/** Throws `LogMisconfiguredError` unless the database keeps text as UTF-8. */
export async function assertUtf8(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(`SELECT current_setting('server_encoding') AS encoding`);
  const encoding = rows[0]?.encoding;
  if (encoding !== 'UTF8') {
    throw new LogMisconfiguredError(
      'encoding',
      `the database has the encoding ${String(encoding)}: make one with ENCODING 'UTF8'`,
    );
  }
}
