// PostgreSQL as part of `npm start`: a server of our own on the data directory, durable, reachable from here only.
import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { types } from 'node:util';
import { prepareDataDirectory } from '../data-directory.ts';
import { type Cluster, clusterUser, isMade, makeCluster, openCluster } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { ServerKeeper } from './server-keeper.ts';

export interface EmbeddedPostgresOptions {
  /** The cluster is in `postgres` below it, the password beside it. Made where it is not. */
  readonly dataDir: string;
  /** Any free port unless given. */
  readonly port?: number;
  /** The database to make where it is not; `duewatch` unless given. */
  readonly database?: string;
  /** Told when the server has ended without being told to, of what starting it again met, and when it runs again. */
  readonly report?: (message: string) => void;
  /** Told, once, that it has ended and cannot be had again. */
  readonly onLost?: (error: EmbeddedPostgresError) => void;
}

export interface EmbeddedPostgres {
  /** `postgresql://…`, of the database made at start unless given. */
  url(database?: string): string;
  /** Stops the server, ending all connections. Repeated calls share one stop. */
  stop(): Promise<void>;
}

/**
 * Starts the server on the data directory, making the cluster the first time. A server that was left behind by a
 * process killed outright is taken over; one that ends by itself is started again, on the same port. Throws
 * `DataDirectoryError`, and `EmbeddedPostgresError`, also where another process has the directory.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { database = 'duewatch', report = () => undefined, onLost = () => undefined } = options;
  const directory = resolve(options.dataDir);
  await prepareDataDirectory(directory);
  const cluster = await openCluster(join(directory, 'postgres'));
  const password = await preparePassword(cluster);
  if (!(await isMade(cluster))) await makeCluster(cluster, password);
  const urlAt = (port: number, name: string): string =>
    `postgresql://${clusterUser}:${password}@127.0.0.1:${port}/${encodeURIComponent(name)}`;
  const claim = { cluster, database, urlAt: (port: number) => urlAt(port, 'postgres') };
  const keeper = await ServerKeeper.start(claim, options.port, { report, onLost });

  // Where the process ends without `stop`, the server is told to end too.
  const onExit = (): void => interrupt(keeper.pid);
  process.once('exit', onExit);
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => keeper.stop().finally(() => process.off('exit', onExit));
  return { url: (name = database) => urlAt(keeper.port, name), stop: () => (stopping ??= stop()) };
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
  await writeFile(`${path}.new`, `${password}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return password;
}
