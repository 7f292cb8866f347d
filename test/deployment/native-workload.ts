// One container of a deployment as a process of this machine: its command and environment as they stand in the file, with
// only names of hosts and ports replaced. It must never put right what the file has wrong.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '../system/watcher.ts';
import { wholeEnvironment } from './accepted.ts';
import { root } from './repository-file.ts';
import type { Workload } from './workload.ts';

const main = join(root, 'dist/apps/cli/src/main.js');
const mostReadyMs = 120_000;
const askEveryMs = 500;
/** The least that a deployment gives it. */
const mostStopMs = 30_000;

/** What stands in the file, and what stands here for it. */
export type Replacements = ReadonlyMap<string, string>;

export class NativeWorkload {
  private child: ChildProcess | undefined;
  private address: string | undefined;

  /** What it says is appended to `logFile`. `isolation`, settings instead of its own, keeps it on this machine and its part of the broker. */
  constructor(
    readonly workload: Workload,
    private readonly replacements: Replacements,
    private readonly isolation: Readonly<Record<string, string>>,
    private readonly logFile: string,
  ) {}

  /** Where it listens, without a path; undefined before it does. */
  get url(): string | undefined {
    return this.address;
  }

  /** Starts it, and does not wait for anything. */
  start(): void {
    const environment = Object.entries(wholeEnvironment(this.workload)).map(([name, value]) => [
      name,
      name === 'DUEWATCH_PORT' ? '0' : this.replaced(value),
    ]);
    const env = { PATH: process.env['PATH'], ...Object.fromEntries(environment), ...this.isolation };
    const command = this.workload.command.map((word) => this.replaced(word));
    const log = openSync(this.logFile, 'a');
    this.child = spawn(process.execPath, [main, ...command], { env, stdio: ['ignore', 'pipe', log] });
    closeSync(log);
    createInterface({ input: this.child.stdout! }).on('line', (line) => {
      this.address ??= /^Duewatch \w+ is at (http:\S+)$/.exec(line)?.[1];
    });
  }

  /** Waits until the check, asked again and again, says that it is well. Rejects where it ends before. */
  async untilWell(isWell: (workload: NativeWorkload) => Promise<boolean>): Promise<void> {
    await until(async () => this.hasEnded || (await isWell(this)), mostReadyMs, askEveryMs);
    if (this.hasEnded) throw new Error(`${this.workload.name} has ended: ${await this.lastWords()}`);
  }

  /** The exit code, once it has ended by itself; null where a signal ended it. */
  async ended(): Promise<number | null> {
    const { child } = this;
    if (child === undefined) throw new Error(`${this.workload.name} was not started`);
    if (!this.hasEnded) await once(child, 'exit');
    return child.exitCode;
  }

  /** Stops it as a container is stopped. Resolves to the exit code, null where it had to be killed. */
  async stop(): Promise<number | null> {
    const { child } = this;
    if (child === undefined) return 0;
    child.kill('SIGTERM');
    const forced = setTimeout(() => child.kill('SIGKILL'), mostStopMs);
    const code = await this.ended();
    clearTimeout(forced);
    return code;
  }

  async lastWords(): Promise<string> {
    return (await readFile(this.logFile, 'utf8').catch(() => '')).split('\n').slice(-40).join('\n');
  }

  private get hasEnded(): boolean {
    return this.child !== undefined && (this.child.exitCode !== null || this.child.signalCode !== null);
  }

  private replaced(text: string): string {
    return [...this.replacements].reduce((so, [from, to]) => so.replaceAll(from, to), text);
  }
}
