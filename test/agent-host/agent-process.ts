// An agent as `duewatch serve` runs it: a process of its own, which can be ended in the middle of what it does.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const main = new URL('../../dist/apps/cli/src/main.js', import.meta.url).pathname;

export class AgentProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    private readonly lines: readonly string[],
  ) {}

  /** Starts it and waits until it listens. Rejects, with what it said, where it ends before. */
  static async start(
    folder: string,
    parameters: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): Promise<AgentProcess> {
    const child = spawn(process.execPath, [main, 'serve', folder, '--port', '0', ...parameters], {
      ...{ stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...environment } },
    });
    const said: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
    const listening = new Promise<string>((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        said.push(line);
        const url = /^The agent is at (http:\S+)$/.exec(line)?.[1];
        if (url !== undefined) resolve(url);
      });
    });
    const url = await Promise.race([listening, once(child, 'close').then(() => undefined)]);
    if (url === undefined) throw new Error(`it has ended: ${said.join('\n')}`);
    return new AgentProcess(child, url, said);
  }

  /** Its log, so far. */
  get said(): string {
    return this.lines.join('\n');
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Ends it in order; resolves to the exit code. */
  stop(): Promise<number | null> {
    return this.end('SIGTERM');
  }

  /** Ends it in the middle of what it does. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.isRunning) {
      const ended = once(this.child, 'exit');
      this.child.kill(signal);
      await ended;
    }
    return this.child.exitCode;
  }
}
