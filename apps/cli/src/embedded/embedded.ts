// The embedded watcher's life: stores, modules, HTTP; and down again in the other order.
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ApiKeys, type Config, createHttpApp, ensureFirstKey, HttpDrain, type PinoLogger, systemClock } from '#runtime';
import { CommandError, ExitCode } from '../exit-code.ts';
import { EmbeddedModule } from './embedded.module.ts';
import { openStores } from './stores.ts';

/** How long those who wait for an answer may still get it, when everything is to stop. */
const drainMs = 4_000;
/** How long clients may then take to be gone. */
const cutMs = 2_000;

export interface Embedded {
  /** Where it listens, without a path. */
  readonly url: string;
  /** The first administrator's key, where one was made just now. */
  readonly firstKey: string | undefined;
  readonly keys: ApiKeys;
  /** Stops everything; repeated calls share one stop. */
  stop(): Promise<void>;
}

/** Starts everything and resolves once it listens. `onFatal` is called with what no part can go on after. */
export async function startEmbedded(
  config: Config,
  logger: PinoLogger,
  onFatal: (error: unknown) => void,
): Promise<Embedded> {
  const stores = await openStores(config, (fault) => logger.warn(String(fault), 'Stores'), onFatal);
  try {
    const app = await createHttpApp(EmbeddedModule.register(config, stores, onFatal), logger);
    const drain = new HttpDrain(app.getHttpServer(), systemClock);
    try {
      const keys = app.get(ApiKeys);
      await listen(app, config);
      const firstKey = await ensureFirstKey(keys, config, (message) => logger.warn(message, 'Duewatch'));
      let stopping: Promise<void> | undefined;
      const stop = (): Promise<void> =>
        (stopping ??= drain
          .drain(drainMs)
          .then(() => drain.close(() => app.close(), cutMs))
          .finally(() => stores.close()));
      return { url: addressOf(config, app.getHttpServer().address()), firstKey, keys, stop };
    } catch (error) {
      await app.close();
      throw error;
    }
  } catch (error) {
    await stores.close();
    throw error;
  }
}

async function listen(app: NestExpressApplication, { port, bind }: Config): Promise<void> {
  try {
    await app.listen(port, bind);
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    const why =
      'code' in cause && cause.code === 'EADDRINUSE'
        ? `port ${port} of ${bind} is taken: stop what listens there, or set DUEWATCH_PORT to another`
        : `cannot listen on port ${port} of ${bind} (DUEWATCH_PORT, DUEWATCH_BIND): ${cause.message}`;
    throw new CommandError(ExitCode.cannotReach, why, { cause });
  }
}

function addressOf(config: Config, address: unknown): string {
  const port =
    typeof address === 'object' && address !== null && 'port' in address ? String(address.port) : config.port;
  return `http://${config.bind.includes(':') ? `[${config.bind}]` : config.bind}:${port}`;
}
