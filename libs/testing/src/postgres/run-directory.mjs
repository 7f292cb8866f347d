// The directory of one jest run, where its PostgreSQL server and its Kafka live, if a suite asks for one. Plain
// JavaScript, because jest loads its set-up without the transform. It must leave nothing running, however the run ends.
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'duewatch-jest-';

/** Makes the directory, which the server's account must be able to walk through. */
export function makeRunDirectory() {
  const directory = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  chmodSync(directory, 0o755);
  return directory;
}

/** Ends the run's servers, at once (what they hold is thrown away), and removes the directory. */
export function removeRunDirectory(directory) {
  end(join(directory, 'postgres', 'postmaster.pid'), 'SIGQUIT');
  end(join(directory, 'kafka', 'keeper.pid'), 'SIGTERM');
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}

/** Synchronous, so that it works while a signal ends this process. */
function end(pidFile, signal) {
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n', 1)[0]);
  if (isRunning(pid)) process.kill(pid, signal);
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; tries < 200 && existsSync(pidFile) && isRunning(pid); tries += 1) Atomics.wait(pause, 0, 0, 50);
}

/** Removes what runs that were killed outright left behind. */
export function sweepRunDirectories() {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(name.match(`^${prefix}(\\d+)-`)?.[1]);
    const directory = join(tmpdir(), name);
    if (pid > 0 && !isRunning(pid) && statSync(directory).uid === process.getuid?.()) removeRunDirectory(directory);
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
