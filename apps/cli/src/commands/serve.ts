// `serve DIR`: an agent over A2A, in this process, beside others on the stores that they share, until it is told to end.
import { AddressRanges, loopbackRanges } from '#outbound';
import {
  type Config,
  CredentialSeal,
  openCredentialSeal,
  type PinoLogger,
  prepareDataDirectory,
  type RedisAddress,
  startEmbeddedPostgres,
  systemClock,
} from '#runtime';
import {
  AgentHost,
  AgentHostModule,
  openHostStores,
  type StoreKind,
} from '../../../agent-host/src/agent-host.module.ts';
import { CommandError, ExitCode } from '../exit-code.ts';
import { Opened } from '../process/opened.ts';
import { openOutbound } from '../process/open-outbound.ts';
import { runApp } from '../process/running-app.ts';
import { runToEnd } from '../process/run-to-end.ts';

export type { StoreKind };

export interface ServeOptions {
  readonly port: number;
  readonly tasks: StoreKind;
  readonly sessions: StoreKind;
  readonly work?: StoreKind;
  /** Seconds. */
  readonly lease: number;
  readonly turns: number;
  readonly userTurns: number;
  readonly streams: number;
  readonly userStreams: number;
  /** Addresses and ranges, with commas between: whose word on clients' certificates is believed. */
  readonly proxies?: string;
  readonly keepDays: number;
  readonly keepSessionsDays: number;
  /** Seconds. */
  readonly loadTime: number;
}

interface Serving {
  readonly url: string;
  readonly paths: readonly string[];
  stop(): Promise<void>;
}

const cancelPatienceMs = 30_000;
const dayMs = 86_400_000;
/** A hundred years: no store reckons further. */
const mostDays = 36_500;

/** Resolves once it has stopped in order. Throws what it cannot start after. */
export async function serve(folder: string, options: ServeOptions): Promise<void> {
  if (options.lease < 1) throw new CommandError(ExitCode.wrongUse, '--lease must be a second at least');
  const days = [options.keepDays, options.keepSessionsDays];
  if (days.some((count) => count < 1 || count > mostDays)) {
    const told = `from 1 to ${mostDays.toLocaleString('en')}`;
    throw new CommandError(ExitCode.wrongUse, `--keep-days and --keep-sessions-days must be ${told}`);
  }
  // The SDK writes what callers are answered to the console, too.
  for (const name of ['error', 'warn'] as const) console[name] = () => undefined;
  await runToEnd(
    (config, logger, onFatal, signal) => start(folder, options, config, logger, onFatal, signal),
    async ({ url, paths }, ending) => {
      const lines = [`The agent is at ${url}`, ...paths.map((path) => `  ${path}`)];
      process.stdout.write(`${lines.join('\n')}\n`);
      await ending.promise;
    },
  );
}

async function start(
  folder: string,
  options: ServeOptions,
  config: Config,
  log: PinoLogger,
  onFatal: (error: unknown) => void,
  signal: AbortSignal,
): Promise<Serving> {
  const opened = new Opened((fault) => log.warn(String(fault), 'Stores'));
  try {
    const { tasks, sessions, work } = options;
    const proxies = readRanges(options.proxies);
    const places = { tasks, sessions, ...(work && { work }) };
    const databaseUrl = Object.values(places).includes('postgres')
      ? await database(config, opened, onFatal)
      : undefined;
    const redis = Object.values(places).includes('redis') ? redisOf(config) : undefined;
    const seal = await sealOf(config, tasks);
    const kept = { places, databaseUrl, ...(redis && { redis }), ...(seal && { seal }) };
    const stores = opened.add(await openHostStores({ ...kept, clock: systemClock, report: opened.report }), (open) =>
      open.close(),
    );
    const outbound = opened.add(openOutbound(config, loopbackRanges), (open) => open.close());
    const leaseMs = options.lease * 1_000;
    const loading = { clock: systemClock, withinMs: options.loadTime * 1_000, signal };
    const keeping = { tasksMs: options.keepDays * dayMs, sessionsMs: options.keepSessionsDays * dayMs };
    const given = {
      ...{ folder, stores, outbound, clock: systemClock, log, leaseMs, cancelPatienceMs, proxies, keeping },
      reminderBounds: config.reminderBounds,
      bounds: {
        turns: { userCount: options.userTurns, allCount: options.turns },
        streams: { userCount: options.userStreams, allCount: options.streams },
      },
    };
    const host = await whileLoading(folder, () => AgentHost.load(given, loading));
    opened.add(host, (open) => open.close());
    const root = AgentHostModule.register(systemClock, [{ name: 'stores', check: () => stores.check() }]);
    const running = await runApp(root, [], { ...config, port: options.port }, log, (app) => host.mount(app), '--port');
    // Whoever waits for an answer is told what became of it: the runs are told to end while answers may still go out.
    const stop = async (): Promise<void> => {
      await Promise.all([running.stop(), host.close()]);
      await opened.close();
    };
    const paths = host.compiled.interfaces.map(({ binding, version, path }) => `${binding} ${version} ${path}`);
    return { url: running.url, paths, stop };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function readRanges(text: string | undefined): AddressRanges {
  try {
    return new AddressRanges(text === undefined ? [] : text.split(',').map((range) => range.trim()));
  } catch (cause) {
    throw new CommandError(ExitCode.wrongUse, `--proxies: ${(cause as TypeError).message}`);
  }
}

/** The module that is loaded may end the process, which then says nothing by itself. */
async function whileLoading<T>(folder: string, load: () => Promise<T>): Promise<T> {
  const say = (): void => {
    process.stderr.write(`the process ended while the handler of ${folder} was loaded\n`);
    process.exitCode = ExitCode.wrongUse;
  };
  process.once('exit', say);
  try {
    return await load();
  } finally {
    process.off('exit', say);
  }
}

/** Several processes on one database, or one Redis, need one key; a database of our own has its key beside it. */
async function sealOf(config: Config, tasks: StoreKind): Promise<CredentialSeal | undefined> {
  if (tasks === 'memory') return undefined;
  if (config.sealKey !== undefined) return new CredentialSeal(config.sealKey);
  const isOwn = tasks === 'postgres' && config.databaseUrl === undefined;
  return isOwn ? openCredentialSeal(config.dataDirectory) : undefined;
}

function redisOf({ redis }: Config): RedisAddress {
  if (redis === undefined) throw new CommandError(ExitCode.wrongUse, 'a store in Redis needs DUEWATCH_REDIS_URL');
  return redis;
}

async function database(config: Config, opened: Opened, onLost: (error: unknown) => void): Promise<string> {
  if (config.databaseUrl !== undefined) return config.databaseUrl;
  await prepareDataDirectory(config.dataDirectory);
  const server = await startEmbeddedPostgres({ dataDir: config.dataDirectory, report: opened.report, onLost });
  return opened.add(server, (postgres) => postgres.stop()).url();
}
