// The whole watcher as a process of its own on a data directory of its own, as `npm start` runs it; and what it uses.
import { readFile, readdir, rm } from 'node:fs/promises';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Spawned, spawnNode } from '#runtime';

const main = new URL('../../apps/cli/src/main.js', import.meta.url).pathname;
const TICKS_A_SECOND = 100;

export const administratorKey = 'dw_bench_0123456789abcdef';

/** Seconds of processors, since each process started. */
export interface CpuSeconds {
  readonly node: number;
  readonly postgres: number;
}

export class WatcherProcess {
  private running: Spawned | undefined;
  private address = '';

  private constructor(readonly dataDirectory: string) {}

  static async create(): Promise<WatcherProcess> {
    return new WatcherProcess(await mkdtemp(join(tmpdir(), 'duewatch-bench-')));
  }

  /** Where it listens, without a path. */
  get url(): string {
    return this.address;
  }

  /** Resolves once every partition is deciding, to the milliseconds since the process was started. */
  async start(): Promise<number> {
    const startedAt = performance.now();
    this.running = spawnNode(main, ['up'], () => undefined, {
      DUEWATCH_DATA_DIR: this.dataDirectory,
      DUEWATCH_PORT: '0',
      DUEWATCH_BOOTSTRAP_KEY: administratorKey,
      DUEWATCH_LOG_LEVEL: 'error',
    });
    this.address = await this.running.firstLine(
      (line) => /^Duewatch is at (http:\/\/[^\s]+?)\.?(\s|$)/.exec(line)?.[1],
    );
    for (;;) {
      if ((await fetch(`${this.address}/health/ready`)).ok) return performance.now() - startedAt;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Ends it in order, its PostgreSQL too. */
  async stop(): Promise<void> {
    await this.running?.stop(15_000);
    this.running = undefined;
  }

  /** Ends Node in the middle of what it does; its PostgreSQL stays, for the next start to take over. */
  async kill(): Promise<void> {
    this.running?.kill('SIGKILL');
    await this.running?.ended;
    this.running = undefined;
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.dataDirectory, { recursive: true, force: true });
  }

  /** Of the PostgreSQL it runs on. */
  async databaseUrl(): Promise<string> {
    const password = (await readFile(join(this.dataDirectory, 'postgres.password'), 'utf8')).trim();
    const [, , , port = ''] = await this.postmaster();
    return `postgresql://duewatch:${password}@127.0.0.1:${port}/duewatch`;
  }

  /** Resident bytes of Node, without its PostgreSQL; undefined where the machine does not tell. */
  async residentBytes(): Promise<number | undefined> {
    const status = await readFile(`/proc/${this.pid}/status`, 'utf8').catch(() => '');
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
  }

  /** Undefined where the machine does not tell. */
  async cpuSeconds(): Promise<CpuSeconds | undefined> {
    const node = await processOf(this.pid);
    if (node === undefined) return undefined;
    const postmaster = Number((await this.postmaster())[0]);
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
    let postgres = 0;
    for (const pid of pids) {
      const found = await processOf(pid);
      if (found === undefined) continue;
      if (pid === postmaster) postgres += found.seconds + found.endedChildrenSeconds;
      else if (found.parent === postmaster) postgres += found.seconds;
    }
    return { node: node.seconds, postgres };
  }

  private get pid(): number {
    return this.running?.pid ?? 0;
  }

  private async postmaster(): Promise<readonly string[]> {
    return (await readFile(join(this.dataDirectory, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  }
}

async function processOf(pid: number) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  if (fields === undefined) return undefined;
  const seconds = (at: number): number => (Number(fields[at]) + Number(fields[at + 1])) / TICKS_A_SECOND;
  return { parent: Number(fields[1]), seconds: seconds(11), endedChildrenSeconds: seconds(13) };
}
