// What `postmaster.pid` says of a server on a cluster's directory, and whether that server lives.
// It must never be deleted while a server could live: PostgreSQL's own guard against two servers is in it.
import { execFile } from 'node:child_process';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '../clock.ts';
import { errorCode } from '../error-code.ts';
import type { Cluster } from './cluster.ts';

const run = promisify(execFile);

export interface RunningServer {
  readonly pid: number;
  readonly port: number;
  /** It takes connections; else it is starting or stopping. */
  readonly isReady: boolean;
}

/** How long a server may take to fill the file that it has made. */
const mostFillMs = 1_000;
const fillLookMs = 50;

/** The server that has the directory, or undefined where none lives. */
export async function findServer(cluster: Cluster): Promise<RunningServer | undefined> {
  const path = join(cluster.directory, 'postmaster.pid');
  const text = await readFilled(path);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (pid > 0 && (await isServerOf(cluster, pid))) {
    return { pid, port: Number(lines[3]), isReady: lines[7]?.trim() === 'ready' };
  }
  // The number may have gone to another process, or never have been written, before which PostgreSQL would shrink back.
  // The one that starts it, it never takes for a server; everything else in the file stays, for it to check.
  await overwrite(path, [process.pid, ...lines.slice(1), ...(lines.length > 1 ? [] : [''])].join('\n'));
  return undefined;
}

/** Undefined where there is none. An empty one is about to be filled, or what a machine that failed has left. */
async function readFilled(path: string): Promise<string | undefined> {
  for (let waitedMs = 0; ; waitedMs += fillLookMs) {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== '' || waitedMs >= mostFillMs) return text;
    await systemClock.sleep(fillLookMs);
  }
}

/** In its place, never emptied before: on a full disk it would stay empty. Where it is gone by now, all is well. */
async function overwrite(path: string, text: string): Promise<void> {
  const file = await open(path, 'r+').catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
    return undefined;
  });
  if (file === undefined) return;
  try {
    const { bytesWritten } = await file.write(text, 0);
    await file.truncate(bytesWritten);
  } finally {
    await file.close();
  }
}

/** Whether the process is the directory's PostgreSQL server, not ended, by what the system says of it. */
async function isServerOf({ directory }: Cluster, pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    if (!/^\d+ \(postgres\) [^ZX]/.test(status)) return false;
    // It works in its cluster's directory. Where that is not ours to see, the name has to do.
    const [works, own] = await Promise.all([stat(`/proc/${pid}/cwd`).catch(() => undefined), stat(directory)]);
    return works === undefined || (works.dev === own.dev && works.ino === own.ino);
  }
  if (process.platform === 'win32') {
    const { stdout } = await run('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']);
    return stdout.includes('postgres');
  }
  const { stdout } = await run('ps', ['-o', 'stat=,comm=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return /^[^Z]\S*\s.*postgres/.test(stdout.trim());
}
