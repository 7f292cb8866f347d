// What is acknowledged is on the disk, in every way to run it: no setting of PostgreSQL's can take that back unnoticed.
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDatabase } from '#testing';
import { Watcher } from './watcher.ts';

let watcher: Watcher;

beforeAll(async () => (watcher = await Watcher.create()));

afterAll(() => watcher.remove(), 60_000);

it('flushes what it commits, whatever is in the configuration file of its server', async () => {
  await watcher.start();
  await watcher.stop();
  const configuration = join(watcher.dataDirectory, 'postgres', 'postgresql.conf');
  await appendFile(configuration, '\nfsync = off\nsynchronous_commit = off\nfull_page_writes = off\n');
  await watcher.start();
  const client = await watcher.connect();
  const { rows } = await client.query<{ name: string; setting: string }>(
    `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') ORDER BY 1`,
  );
  expect(rows.map(({ setting }) => setting)).toEqual(['on', 'on', 'on']);
  await client.query('ALTER DATABASE duewatch SET synchronous_commit = off');
  await client.end();
  await watcher.stop();
});

it('does not start where its database does not flush', async () => {
  const { exitCode, said } = await watcher.startInVain();
  expect(exitCode).toBe(2);
  expect(said).toContain('synchronous_commit off, so that a crash could lose what was acknowledged');
});

it('does not start on a server of somebody else’s that does not flush', async () => {
  const database = await createDatabase();
  const { exitCode, said } = await watcher.startInVain({ DUEWATCH_DATABASE_URL: database.url });
  await database.drop();
  expect(exitCode).toBe(2);
  expect(said).toContain('fsync and full_page_writes and synchronous_commit off');
});
