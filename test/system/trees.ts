// Ends processes with all that they have started, at one stroke, as the end of a container or of a machine does.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** None of them sees another of them end before it ends itself. */
export function killTrees(roots: readonly number[]): void {
  for (const root of roots) send(root, 'SIGSTOP');
  for (const pid of treesOf(roots)) send(pid, 'SIGKILL');
}

/** The processes and all below them. */
export function treesOf(roots: readonly number[]): readonly number[] {
  const parents = readParents();
  const found = new Set(roots);
  for (let sizeBefore = 0; sizeBefore < found.size;) {
    sizeBefore = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

/** False where it has ended. */
export function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function readParents(): readonly (readonly [number, number])[] {
  if (process.platform !== 'linux') {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
    return lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  }
  return readdirSync('/proc').flatMap((name) => {
    try {
      const parent = /^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1];
      return parent === undefined ? [] : [[Number(name), Number(parent)] as const];
    } catch {
      return []; // No process, or it has just ended.
    }
  });
}
