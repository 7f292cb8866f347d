// One app as a process of its own, as `duewatch start APP` runs it.
import { type Spawned, spawnNode } from '#runtime';

const main = new URL('../../apps/cli/src/main.js', import.meta.url).pathname;

export class AppProcess {
  private constructor(
    private readonly running: Spawned,
    /** Where it listens, without a path. */
    readonly url: string,
    private readonly startedAt: number,
  ) {}

  static async start(app: string, environment: Readonly<Record<string, string>>): Promise<AppProcess> {
    const startedAt = performance.now();
    const running = spawnNode(main, ['start', app], () => undefined, environment);
    const url = await running.firstLine((line) => /^Duewatch \w+ is at (\S+)$/.exec(line)?.[1]);
    return new AppProcess(running, url, startedAt);
  }

  /** Resolves once it is ready, to the milliseconds since it was started. */
  async ready(): Promise<number> {
    while (!(await fetch(`${this.url}/health/ready`)).ok) await new Promise((resolve) => setTimeout(resolve, 10));
    return performance.now() - this.startedAt;
  }

  /** A metric summed over its labels. */
  async metric(name: string): Promise<number> {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    const values = text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'));
    return Array.from(values, ([, value]) => Number(value)).reduce((sum, value) => sum + value, 0);
  }

  async stop(): Promise<void> {
    await this.running.stop(20_000);
  }

  async kill(): Promise<void> {
    this.running.kill('SIGKILL');
    await this.running.ended;
  }
}
