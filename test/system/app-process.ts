// One app as a process of its own, as `duewatch start APP` runs it, which can be ended, stood still and started again.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { until } from './watcher.ts';

const main = new URL('../../dist/apps/cli/src/main.js', import.meta.url).pathname;

/** It promises to end within 15 s. */
const mostStopMs = 60_000;
const mostStartMs = 240_000;
/** It says each time why it is not ready. */
const askEveryMs = 100;

export type App = 'intake' | 'facts' | 'timekeeper' | 'dispatcher' | 'projector' | 'query';

export class AppProcess {
  private child: ChildProcess | undefined;
  private address: string | undefined;

  /** What it says, over all its lives, is appended to `logFile`. */
  constructor(
    readonly app: App,
    readonly name: string,
    private readonly logFile: string,
    private readonly environment: Readonly<Record<string, string>>,
  ) {}

  /** Where it listens, without a path; undefined while it does not run. */
  get url(): string | undefined {
    return this.address;
  }

  /** The id of the process that runs now. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Starts it, and waits until it is ready. Rejects where it ends before. */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const started = await this.startHeld(settings);
    await until(async () => this.child !== started || (await this.isReady()), mostStartMs, askEveryMs);
    if (this.child !== started) throw new Error(`${this.name} has ended before it was ready`);
  }

  /** Likewise where it will not be ready: waits until it listens. */
  async startHeld(settings: Readonly<Record<string, string>> = {}): Promise<ChildProcess> {
    if (this.child !== undefined) throw new Error(`${this.name} runs already`);
    const log = openSync(this.logFile, 'a');
    const env = { ...withoutSettings(process.env), ...this.environment, ...settings };
    const child = spawn(process.execPath, [main, 'start', this.app], { stdio: ['ignore', 'pipe', log, 'ipc'], env });
    closeSync(log);
    this.child = child;
    const ended = once(child, 'exit').then(() => {
      if (this.child === child) [this.child, this.address] = [undefined, undefined];
    });
    const listening = new Promise<string>((resolve) => {
      if (child.stdout === null) throw new Error('its output is piped');
      createInterface({ input: child.stdout }).on('line', (line) => {
        const url = /^Duewatch \w+ is at (http:\S+)$/.exec(line)?.[1];
        if (url !== undefined) resolve(url);
      });
    });
    const url = await Promise.race([listening, ended]);
    if (typeof url !== 'string') throw new Error(`${this.name} has ended: ${await this.lastWords()}`);
    this.address = url;
    return child;
  }

  /** Whether it says so itself; an answer that does not come is none. */
  async isReady(): Promise<boolean> {
    if (this.address === undefined) return false;
    return (await fetch(`${this.address}/health/ready`)).ok;
  }

  /** Sends a signal and does not wait: `SIGSTOP` stands it still, `SIGCONT` lets it go on. */
  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** Stops it in order. Resolves to the exit code: undefined where it did not run, null where it had to be killed. */
  async stop(): Promise<number | null | undefined> {
    return this.end('SIGTERM');
  }

  /** Ends it in the middle of what it does, standing still or not. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Where it has ended by itself, or will: resolves to the exit code. */
  async ended(): Promise<number | null | undefined> {
    const { child } = this;
    if (child === undefined) return undefined;
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return child.exitCode;
  }

  /** All that it has said, in all its lives. */
  async said(): Promise<string> {
    return readFile(this.logFile, 'utf8').catch(() => '');
  }

  /** The end of it. */
  async lastWords(): Promise<string> {
    return (await this.said()).split('\n').slice(-60).join('\n');
  }

  private async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null | undefined> {
    const { child } = this;
    if (child === undefined) return undefined;
    const ended = this.ended();
    // Nobody is sent to it any more.
    this.address = undefined;
    child.kill(signal);
    // One that stands still does not hear it.
    child.kill('SIGCONT');
    const forced = setTimeout(() => child.kill('SIGKILL'), mostStopMs);
    const exitCode = await ended;
    clearTimeout(forced);
    return exitCode;
  }
}

/** The run's own settings are none of the product's. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('DUEWATCH_')));
}
