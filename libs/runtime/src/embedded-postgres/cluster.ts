// A PostgreSQL cluster in a directory, and the programs that make, start and stop its server.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Account, chooseAccount } from './account.ts';
import { findBinaries, programIn } from './binaries.ts';
import { isOutOfRoom } from '../disk-room.ts';
import { EmbeddedPostgresError, NoRoomError, PortTakenError, ServerBusyError } from './embedded-postgres-error.ts';

const run = promisify(execFile);

// What a killed server has left ends within moments; what a killed process had begun to start goes on starting.
const busy = /pre-existing shared memory block|lock file "postmaster\.pid" already exists/;
const portTaken = /could not bind .*: Address already in use/;

/** The one user of an embedded server. */
export const clusterUser = 'duewatch';

export interface Cluster {
  readonly directory: string;
  readonly account: Account | undefined;
  readonly binaries: string;
}

/** The cluster of that directory, made or not. Throws `EmbeddedPostgresError`. */
export async function openCluster(directory: string): Promise<Cluster> {
  const account = await chooseAccount(directory);
  return { directory, account, binaries: await findBinaries(account) };
}

export async function isMade(cluster: Cluster): Promise<boolean> {
  return access(join(cluster.directory, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
}

/** Makes the cluster, whole or not at all: UTF-8, ordered by code points, one user with that password. */
export async function makeCluster(cluster: Cluster, password: string, flags: readonly string[] = []): Promise<void> {
  const fresh = `${cluster.directory}.new`;
  const passwordFile = join(tmpdir(), `duewatch-${randomBytes(12).toString('hex')}`);
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { mode: 0o700 });
  await writeFile(passwordFile, `${password}\n`, { flag: 'wx', mode: 0o600 });
  try {
    for (const path of [fresh, passwordFile]) await handOver(cluster, path);
    await runProgram({ ...cluster, directory: fresh }, 'initdb', [
      '--encoding=UTF8',
      '--locale=C',
      '--auth=scram-sha-256',
      `--username=${clusterUser}`,
      `--pwfile=${passwordFile}`,
      ...flags,
    ]);
    await rename(fresh, cluster.directory);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** Starts the server on 127.0.0.1 and that port, apart from this process, and waits until it takes connections. */
export async function startServer(
  cluster: Cluster,
  port: number,
  settings: Readonly<Record<string, string | number>>,
): Promise<void> {
  const all = { ...settings, listen_addresses: '127.0.0.1', port };
  const options = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`);
  // No socket file: it would be in a directory that everybody shares.
  if (process.platform !== 'win32') options.push(`-c unix_socket_directories=''`);
  await runProgram(cluster, 'pg_ctl', ['start', '-w', '-t', '600', '-l', 'server.log', '-o', options.join(' ')]);
}

/** Stops the server, ending its connections, and waits until it is gone. */
export async function stopServer(cluster: Cluster): Promise<void> {
  await runProgram(cluster, 'pg_ctl', ['stop', '-w', '-t', '120', '-m', 'fast']);
}

/** The last lines of the server's log, for an error message. */
export async function readServerLog(cluster: Cluster): Promise<string> {
  const log = await readFile(join(cluster.directory, 'server.log'), 'utf8').catch(() => '');
  return log.split('\n').slice(-15).join('\n');
}

async function handOver({ account }: Cluster, path: string): Promise<void> {
  if (account !== undefined) await chown(path, account.uid, account.gid);
}

async function runProgram(cluster: Cluster, program: 'initdb' | 'pg_ctl', args: readonly string[]): Promise<void> {
  const { directory, account, binaries } = cluster;
  // Its account may not be allowed to walk to the directory from the root, but it is set there before it drops ours.
  const PGDATA = account !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : directory;
  try {
    await run(programIn(binaries, program), args, {
      ...account,
      cwd: directory,
      env: { ...process.env, PGDATA, LC_ALL: 'C' },
    });
  } catch (cause) {
    const log = program === 'pg_ctl' ? `\n${await readServerLog(cluster)}` : '';
    const message = `${program} ${args[0] ?? ''} failed: ${describe(cause)}${log}`;
    if (await isOutOfRoom(directory, message)) {
      throw new NoRoomError(`the disk with ${directory} is full: make room on it; ${message}`, { cause });
    }
    if (busy.test(log)) throw new ServerBusyError(message, { cause });
    throw new (portTaken.test(log) ? PortTakenError : EmbeddedPostgresError)(message, { cause });
  }
}

function describe(cause: unknown): string {
  const { stderr, message } = cause as { stderr?: string; message: string };
  return (stderr ?? '').trim() || message;
}
