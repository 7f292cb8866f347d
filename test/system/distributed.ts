// The watcher as processes of their own, one or more of each app, on a Kafka and a PostgreSQL, with what an ingress is
// before them, for tests over the public API. Suites that want to see what it said when a test fails say
// `@jest-environment ./test/system/failure-keeping-environment.mjs` in their first comment.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EventLog } from '#event-log';
import { openKafkaEventLog, topicNames } from '#event-log-kafka';
import { systemClock } from '#runtime';
import { createDatabase, deleteTopicsOf, testBrokers, type TestDatabase, withAdmin } from '#testing';
import type { AnyWatcher } from './any-watcher.ts';
import { type App, AppProcess } from './app-process.ts';
import { Front } from './front.ts';
import { appendTo, forgetOutbox } from './stopped-data.ts';
import { administratorKey, callApi, parsed } from './watcher.ts';

const main = new URL('../../dist/apps/cli/src/main.js', import.meta.url).pathname;
const apps: readonly App[] = ['intake', 'facts', 'timekeeper', 'dispatcher', 'projector', 'query'];

export interface DistributedOptions {
  /** How many of an app; 1 where it is not said. */
  readonly counts?: Partial<Readonly<Record<App, number>>>;
  readonly partitionCount?: number;
  /** `host:port` each; the run's own where they are not given. */
  readonly brokers?: readonly string[];
  /** A database of the test's own, which it removes itself; else one is made and dropped. */
  readonly databaseUrl?: string;
  /** What every process is told beside. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A watcher's topics and tables, which outlive the processes. */
export class DistributedWatcher implements AnyWatcher {
  /** By its name: the app's, a dash, and a number from 1. */
  readonly processes: ReadonlyMap<string, AppProcess>;

  private constructor(
    /** What its topics, groups and transactional ids begin with. */
    readonly prefix: string,
    readonly brokers: readonly string[],
    readonly databaseUrl: string,
    readonly partitionCount: number,
    private readonly environment: Readonly<Record<string, string>>,
    private readonly logDirectory: string,
    private readonly database: TestDatabase | undefined,
    private readonly front: Front,
    processes: ReadonlyMap<string, AppProcess>,
  ) {
    this.processes = processes;
  }

  /** Topics and an empty database; nothing runs yet. */
  static async create(options: DistributedOptions = {}): Promise<DistributedWatcher> {
    const { counts = {}, partitionCount = 4 } = options;
    const brokers = options.brokers ?? (await testBrokers());
    const database = options.databaseUrl === undefined ? await createDatabase() : undefined;
    const databaseUrl = options.databaseUrl ?? database!.url;
    const prefix = `system-${randomBytes(6).toString('hex')}`;
    const environment = {
      DUEWATCH_PORT: '0',
      DUEWATCH_BOOTSTRAP_KEY: administratorKey,
      DUEWATCH_KAFKA_BROKERS: brokers.join(','),
      DUEWATCH_KAFKA_PREFIX: prefix,
      DUEWATCH_PARTITIONS: String(partitionCount),
      DUEWATCH_DATABASE_URL: databaseUrl,
      DUEWATCH_SEAL_KEY: 'ab'.repeat(32),
      DUEWATCH_OUTBOUND_ALLOW: '127.0.0.0/8',
      ...options.settings,
    };
    const logDirectory = await mkdtemp(join(tmpdir(), 'duewatch-distributed-'));
    const processes = new Map<string, AppProcess>();
    for (const app of apps) {
      for (let number = 1; number <= (counts[app] ?? 1); number += 1) {
        const name = `${app}-${number}`;
        processes.set(name, new AppProcess(app, name, join(logDirectory, name), environment));
      }
    }
    const front = await Front.open((edge) =>
      [...processes.values()].flatMap(({ app, url }) => (app === edge && url !== undefined ? [url] : [])),
    );
    const fixed = [prefix, brokers, databaseUrl, partitionCount, environment] as const;
    const watcher = new DistributedWatcher(...fixed, logDirectory, database, front, processes);
    try {
      await watcher.execute('topics', 'apply');
      return watcher;
    } catch (error) {
      await watcher.remove();
      throw error;
    }
  }

  /** One address for all of it, without a path. */
  get url(): string {
    return this.front.url;
  }

  /** The first of its facts processes, as it listens itself. */
  get factsUrl(): string {
    const { url } = this.process('facts-1');
    if (url === undefined) throw new Error('facts-1 does not run');
    return url;
  }

  /** One of its processes. Throws where there is none of that name. */
  process(name: string): AppProcess {
    const found = this.processes.get(name);
    if (found === undefined) throw new Error(`there is no ${name}: there are ${[...this.processes.keys()].join(', ')}`);
    return found;
  }

  /** All of an app. */
  all(app: App): readonly AppProcess[] {
    return [...this.processes.values()].filter((process) => process.app === app);
  }

  /** Starts all that do not run, with more settings or others, and waits until every one is ready. */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    await Promise.all(this.stopped().map((process) => process.start(settings)));
  }

  /** Stops them all at once, in order. Resolves to 0 where all have ended so; else to how one of them did. */
  async stop(): Promise<number | null> {
    const exitCodes = await Promise.all([...this.processes.values()].map((process) => process.stop()));
    const notInOrder = exitCodes.find((exitCode) => exitCode !== 0 && exitCode !== undefined);
    return notInOrder === undefined ? 0 : notInOrder;
  }

  /** Ends them all in the middle of what they do. */
  async kill(): Promise<void> {
    await Promise.all([...this.processes.values()].map((process) => process.kill()));
  }

  /** Runs another command on the same topics and tables and waits for its end. Resolves to the exit code. */
  async run(...parameters: readonly string[]): Promise<number | null> {
    try {
      await this.execute(...parameters);
      return 0;
    } catch (error) {
      const { code, stderr } = error as { readonly code: number | null; readonly stderr: string };
      process.stderr.write(stderr);
      return code;
    }
  }

  /** Stops it and forgets its topics, tables and words: the last are printed where a test has failed. */
  async remove(): Promise<void> {
    await this.stop();
    if ('hasFailed' in globalThis) {
      for (const one of this.processes.values()) {
        process.stderr.write(`--- ${one.name}\n${await one.lastWords()}\n`);
      }
    }
    await this.front.close();
    await rm(this.logDirectory, { recursive: true, force: true });
    await this.database?.drop();
    await deleteTopicsOf(this);
  }

  async appendToInbox(tenant: string, values: readonly Uint8Array[]): Promise<string> {
    return this.withLog((log) => appendTo(log, tenant, values));
  }

  /** The log as a process of the test's own sees it. */
  async withLog<T>(use: (log: EventLog) => Promise<T>): Promise<T> {
    const { prefix, brokers, partitionCount } = this;
    const log = await openKafkaEventLog({ address: { prefix, brokers }, partitionCount, clock: systemClock });
    try {
      return await use(log);
    } finally {
      await log.close();
    }
  }

  async forgetOutboxAndSnapshots(): Promise<void> {
    await forgetOutbox(this.databaseUrl);
    await withAdmin(this.brokers, async (admin) => {
      const topic = topicNames(this).snapshots;
      // Also what the client needs to know of the topic before it can delete from it.
      const ends = await admin.fetchTopicOffsets(topic);
      const partitions = ends.map(({ partition, high }) => ({ partition, offset: high }));
      await admin.deleteTopicRecords({ topic, partitions });
    });
  }

  /** Calls the API as the administrator; throws where the answer is not a success. */
  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    return parsed(await this.callText(method, path, body));
  }

  callText(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    return callApi(this.url, method, path, body, headers);
  }

  private stopped(): readonly AppProcess[] {
    return [...this.processes.values()].filter(({ pid }) => pid === undefined);
  }

  private async execute(...parameters: readonly string[]): Promise<void> {
    await promisify(execFile)(process.execPath, [main, ...parameters], {
      env: { PATH: process.env['PATH'], ...this.environment },
    });
  }
}
