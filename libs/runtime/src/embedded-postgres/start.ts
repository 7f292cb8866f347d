// PostgreSQL as part of `npm start`: a server of our own on the data directory, durable, reachable from here only.
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { types } from 'node:util';
import type { Client } from 'pg';
import { type Cluster, clusterUser, isMade, makeCluster, openCluster, stopServer } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { claimServer, ensureDatabase } from './owner.ts';
import { findServer } from './pid-file.ts';
import { haveServer, type ServerAtHand } from './server-at-hand.ts';

export interface EmbeddedPostgresOptions {
  /** The cluster is in `postgres` below it, the password beside it. Made where it is not. */
  readonly dataDir: string;
  /** Any free port unless given. */
  readonly port?: number;
  /** The database to make where it is not; `duewatch` unless given. */
  readonly database?: string;
}

export interface EmbeddedPostgres {
  /** `postgresql://…`, of the database made at start unless given. */
  url(database?: string): string;
  /** Stops the server, ending all connections. Repeated calls share one stop. */
  stop(): Promise<void>;
}

/**
 * Starts the server on the data directory, making the cluster the first time. A server that was left behind by a
 * process killed outright is taken over. Throws `EmbeddedPostgresError`, also where another process has the directory.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { database = 'duewatch' } = options;
  const cluster = await openCluster(join(resolve(options.dataDir), 'postgres'));
  const password = await preparePassword(cluster);
  if (!(await isMade(cluster))) await makeCluster(cluster, password);
  const server = await haveServer(cluster, options.port);
  const url = (name = database): string =>
    `postgresql://${clusterUser}:${password}@127.0.0.1:${server.port}/${encodeURIComponent(name)}`;
  const owner = await own(cluster, server, url('postgres'), database);

  // Where the process ends without `stop`, the server is told to end too.
  const onExit = (): void => interrupt(server.pid);
  process.once('exit', onExit);
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    process.off('exit', onExit);
    await owner.end();
    if ((await findServer(cluster)) !== undefined) await stopServer(cluster);
  };
  return { url, stop: () => (stopping ??= stop()) };
}

/** Claims the server and makes the database. A new server that cannot be used is stopped again. */
async function own(cluster: Cluster, { isNew }: ServerAtHand, url: string, database: string): Promise<Client> {
  try {
    const owner = await claimServer(url);
    await ensureDatabase(owner, database);
    return owner;
  } catch (error) {
    if (isNew) await stopServer(cluster);
    throw error;
  }
}

/** Tells the server to stop, where it still runs. */
function interrupt(pid: number): void {
  try {
    process.kill(pid, 'SIGINT');
  } catch {
    // It has ended already.
  }
}

/** The password kept beside the cluster, readable by its owner alone; made before the cluster is. */
async function preparePassword(cluster: Cluster): Promise<string> {
  const path = `${cluster.directory}.password`;
  const found = await readFile(path, 'utf8').catch((cause: unknown) => {
    if (types.isNativeError(cause) && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new EmbeddedPostgresError(`cannot read ${path}`, { cause });
  });
  if (found !== undefined) return found.trim();
  if (await isMade(cluster)) {
    throw new EmbeddedPostgresError(`${path}, the password of the cluster beside it, is missing: put it back`);
  }
  const password = randomBytes(24).toString('base64url');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, `${password}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return password;
}
