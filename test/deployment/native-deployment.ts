// A deployment's containers as processes of this machine, with what the proxy is before them.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, deleteTopicsOf, testBrokers, type TestDatabase } from '#testing';
import { Front } from '../system/front.ts';
import { NativeWorkload, type Replacements } from './native-workload.ts';
import { appOf, type Workload } from './workload.ts';

/** How many there are to be of it. */
export interface Wanted {
  readonly workload: Workload;
  readonly count: number;
}

export class NativeDeployment {
  private constructor(
    private readonly all: NativeWorkload[],
    readonly brokers: readonly string[],
    private readonly database: TestDatabase,
    private readonly directory: string,
    readonly prefix: string,
    readonly front: Front,
  ) {}

  /** A broker, an empty database and a front; nothing runs yet. */
  static async prepare(): Promise<NativeDeployment> {
    const brokers = await testBrokers();
    const database = await createDatabase();
    const directory = await mkdtemp(join(tmpdir(), 'duewatch-deployment-'));
    const prefix = `deployment-${randomBytes(6).toString('hex')}`;
    const all: NativeWorkload[] = [];
    const front = await Front.open((edge) =>
      all.flatMap(({ workload, url }) => (appOf(workload) === edge && url !== undefined ? [url] : [])),
    );
    return new NativeDeployment(all, brokers, database, directory, prefix, front);
  }

  /** Starts them all at once; `more` are replacements beside brokers, database and bound address. */
  start(wanted: readonly Wanted[], more: Replacements = new Map()): readonly NativeWorkload[] {
    const started = wanted.flatMap(({ workload, count }) =>
      Array.from({ length: count }, (_, index) => {
        const { DUEWATCH_KAFKA_BROKERS: brokers, DUEWATCH_DATABASE_URL: databaseUrl } = workload.environment;
        const calls = workload.environment['DUEWATCH_OUTBOUND_ALLOW'] !== undefined;
        const replacements = new Map([
          ['0.0.0.0', '127.0.0.1'],
          ...(brokers === undefined ? [] : [[brokers, this.brokers.join(',')] as const]),
          ...(databaseUrl === undefined ? [] : [[databaseUrl, this.database.url] as const]),
          ...more,
        ]);
        const isolation = {
          ...(brokers !== undefined && { DUEWATCH_KAFKA_PREFIX: this.prefix }),
          // The tests' agents are where the deployment lists its own.
          ...(calls && { DUEWATCH_OUTBOUND_ALLOW: '127.0.0.0/8' }),
        };
        const logFile = join(this.directory, `${workload.name}-${index}`);
        return new NativeWorkload(workload, replacements, isolation, logFile);
      }),
    );
    this.all.push(...started);
    for (const workload of started) workload.start();
    return started;
  }

  /** Stops all that runs, at once. Resolves to the exit codes by name. */
  async stop(): Promise<readonly (readonly [string, number | null])[]> {
    const stopping = this.all.splice(0);
    return Promise.all(stopping.map(async (one) => [one.workload.name, await one.stop()] as const));
  }

  /** Stops what runs, and forgets topics, tables and what was said: the last is printed where a test has failed. */
  async remove(): Promise<void> {
    if ('hasFailed' in globalThis) {
      for (const one of this.all) process.stderr.write(`--- ${one.workload.name}\n${await one.lastWords()}\n`);
    }
    await this.stop();
    await this.front.close();
    await rm(this.directory, { recursive: true, force: true });
    await this.database.drop();
    await deleteTopicsOf(this);
  }
}
