// Child processes of ours: they end when we end, and their end is told.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { systemClock } from './clock.ts';

const mostGraceMs = 5_000;

export interface Spawned {
  /** Its process id; undefined where it could not be started, which `ended` tells. */
  readonly pid: number | undefined;
  /** Resolves with the exit code, null where a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Resolves with the first line that `read` makes something of; rejects where the process ends before. */
  firstLine<T>(read: (line: string) => T | undefined): Promise<T>;
  /** Sends a signal and does not wait. */
  kill(signal: NodeJS.Signals): void;
  /** Asks it to end and waits; one that has not after `graceMs` (5 s) is ended. */
  stop(graceMs?: number): Promise<void>;
}

/** Starts a JavaScript file with Node; each line it prints is told to `onLine`. `environment` is added to our own. */
export function spawnNode(
  file: string,
  parameters: readonly string[],
  onLine: (line: string) => void,
  environment: Readonly<Record<string, string>> = {},
): Spawned {
  const child: ChildProcess = spawn(process.execPath, [file, ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, ...environment },
  });
  const readers = new Set<(line: string) => void>();
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      onLine(line);
      for (const reader of readers) reader(line);
    });
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  return {
    pid: child.pid,
    ended,
    firstLine: (read) =>
      new Promise((resolve, reject) => {
        const reader = (line: string): void => {
          const found = read(line);
          if (found === undefined) return;
          readers.delete(reader);
          resolve(found);
        };
        readers.add(reader);
        ended.then((code) => reject(new Error(`${file} ended with ${code ?? 'a signal'}`)), reject);
      }),
    kill: (signal) => void child.kill(signal),
    stop: async (graceMs = mostGraceMs) => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      const waiting = new AbortController();
      void systemClock.sleep(graceMs, waiting.signal).then(() => waiting.signal.aborted || child.kill('SIGKILL'));
      await ended.catch(() => null);
      waiting.abort();
    },
  };
}
