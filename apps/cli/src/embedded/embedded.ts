// The embedded watcher's life: stores, then everything that runs on them; and down again in the other order.
import { SoleShare } from '#event-log';
import { ApiKeys, type Config, ConfigError, ensureFirstKey, type PinoLogger } from '#runtime';
import { Memberships, PartitionServer } from '#serving';
import { fencedOff } from '../process/fenced.ts';
import { runApp } from '../process/running-app.ts';
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

/**
 * Starts everything and resolves once it listens. `onFatal` is called with what no part can go on after. Throws
 * `ConfigError` where it was meant for Kafka, before anything is opened.
 */
export async function startEmbedded(
  config: Config,
  logger: PinoLogger,
  onFatal: (error: unknown) => void,
): Promise<Embedded> {
  assertOwnLog(config);
  const stores = await openStores(config, (fault) => logger.warn(String(fault), 'Stores'), onFatal);
  try {
    const memberships = new Memberships();
    const share = new SoleShare(stores.log.partitionCount, (role, partition) => onFatal(fencedOff(role, partition)));
    const roles = ['timekeeper', 'dispatcher', 'projector', 'follower'] as const;
    const servers = roles.map((role) => new PartitionServer(role, share, memberships));
    const root = EmbeddedModule.register(config, stores, memberships, onFatal);
    const running = await runApp(root, servers, config, logger);
    try {
      const keys = running.app.get(ApiKeys);
      const firstKey = await ensureFirstKey(keys, config, (message) => logger.warn(message, 'Duewatch'));
      let stopping: Promise<void> | undefined;
      const stop = (): Promise<void> => (stopping ??= running.stop().finally(() => stores.close()));
      return { url: running.url, firstKey, keys, stop };
    } catch (error) {
      await running.app.close();
      throw error;
    }
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/** A process that was meant for Kafka must not begin a log of its own. */
function assertOwnLog({ kafka }: Config): void {
  if (kafka === undefined) return;
  throw new ConfigError([
    'DUEWATCH_KAFKA_BROKERS is for apps that start alone (duewatch start APP): what runs in one process has its log in ' +
      'PostgreSQL',
  ]);
}
