// A database of its own for a suite, in the run's server.
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { testServerUrl } from './test-server.ts';

export interface TestDatabase {
  /** `postgresql://…`. */
  readonly url: string;
  /** Removes it, ending whatever is still connected. */
  drop(): Promise<void>;
}

/** An empty database, UTF-8 and ordered by code points. The first of a jest run starts the server. */
export async function createDatabase(): Promise<TestDatabase> {
  const server = await testServerUrl();
  const name = `t_${randomBytes(8).toString('hex')}`;
  await query(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => query(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function query(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
