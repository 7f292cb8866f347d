// The embedded watcher's life: stores, modules, HTTP; and down again in the other order.
import { ApiKeys, type Config, createHttpApp, ensureFirstKey, PinoLogger } from '#runtime';
import { EmbeddedModule } from './embedded.module.ts';
import { openStores } from './stores.ts';

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
export async function startEmbedded(config: Config, onFatal: (error: unknown) => void): Promise<Embedded> {
  const logger = new PinoLogger(config.logLevel, process.stderr);
  const stores = await openStores(config, (fault) => logger.warn(String(fault), 'Stores'));
  try {
    const app = await createHttpApp(EmbeddedModule.register(config, stores, onFatal), logger);
    try {
      const keys = app.get(ApiKeys);
      await app.listen(config.port, config.bind);
      const firstKey = await ensureFirstKey(keys, config);
      let stopping: Promise<void> | undefined;
      const stop = (): Promise<void> => (stopping ??= app.close().finally(() => stores.close()));
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

function addressOf(config: Config, address: unknown): string {
  const port =
    typeof address === 'object' && address !== null && 'port' in address ? String(address.port) : config.port;
  return `http://${config.bind.includes(':') ? `[${config.bind}]` : config.bind}:${port}`;
}
