// The one PostgreSQL server of a jest run, started by the first suite that asks. Nothing in it outlives the run, so it
// flushes nothing: never so outside of tests.
import assert from 'node:assert/strict';
import { access, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterUser, findFreePort, makeCluster, openCluster, startServer, systemClock } from '#runtime';

const password = 'only-for-tests';
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  max_connections: 300,
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** The URL of the server's database `postgres`. */
export async function testServerUrl(): Promise<string> {
  const directory = process.env['DUEWATCH_TEST_DIRECTORY'];
  assert(directory !== undefined, 'run through jest, whose configuration has the global set-up');
  const urlFile = join(directory, 'url');
  if (await isFirst(directory)) {
    const started = await start(join(directory, 'postgres')).catch((error: unknown) => `failed: ${String(error)}`);
    await writeFile(`${urlFile}.new`, started);
    await rename(`${urlFile}.new`, urlFile);
  }
  while (!(await exists(urlFile))) await systemClock.sleep(20);
  const url = await readFile(urlFile, 'utf8');
  assert(url.startsWith('postgresql:'), url);
  return url;
}

async function start(directory: string): Promise<string> {
  const cluster = await openCluster(directory);
  await makeCluster(cluster, password, ['--no-sync']);
  const port = await findFreePort();
  await startServer(cluster, port, settings);
  return `postgresql://${clusterUser}:${password}@127.0.0.1:${port}/postgres`;
}

/** True for one caller of all the run's processes. */
async function isFirst(directory: string): Promise<boolean> {
  return writeFile(join(directory, 'asked'), '', { flag: 'wx' }).then(
    () => true,
    () => false,
  );
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
