// What `postmaster.pid` says of a server on a cluster's directory, and whether that server lives.
// It must never be deleted while a server could live: PostgreSQL's own guard against two servers is in it.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Cluster } from './cluster.ts';

const run = promisify(execFile);

export interface RunningServer {
  readonly pid: number;
  readonly port: number;
  /** It takes connections; else it is starting or stopping. */
  readonly isReady: boolean;
}

/** The server that has the directory, or undefined where none lives. */
export async function findServer(cluster: Cluster): Promise<RunningServer | undefined> {
  const path = join(cluster.directory, 'postmaster.pid');
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!(pid > 0)) return undefined;
  if (await isServer(pid)) return { pid, port: Number(lines[3]), isReady: lines[7]?.trim() === 'ready' };
  // The number may have gone to another process, before which PostgreSQL would shrink back. The one that starts it, it
  // never takes for a server; everything else in the file stays, for it to check.
  await writeFile(path, [process.pid, ...lines.slice(1)].join('\n'));
  return undefined;
}

/** Whether the process is a PostgreSQL server, not ended, by what the system says of it. */
async function isServer(pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    return /^\d+ \(postgres\) [^ZX]/.test(status);
  }
  if (process.platform === 'win32') {
    const { stdout } = await run('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']);
    return stdout.includes('postgres');
  }
  const { stdout } = await run('ps', ['-o', 'stat=,comm=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return /^[^Z]\S*\s.*postgres/.test(stdout.trim());
}
