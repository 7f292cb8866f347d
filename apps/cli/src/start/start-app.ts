// One app's life in a process of its own: log, stores, module, partitions, HTTP; and down again in the other order.
import { ApiKeys, type Config, ensureFirstKey, type PinoLogger } from '#runtime';
import { Memberships, PartitionServer } from '#serving';
import { openConfiguredLog, type OpenLog } from '../process/open-log.ts';
import { Opened } from '../process/opened.ts';
import { runApp } from '../process/running-app.ts';
import { type AppName, needsOf } from './apps.ts';
import { compose } from './composition.ts';
import { requirementsOf } from './requirements.ts';

export interface AppAlone {
  /** Where it listens, without a path. */
  readonly url: string;
  /** Stops everything; repeated calls share one stop. */
  stop(): Promise<void>;
}

/**
 * Starts the app and resolves once it listens. `onFatal` is called with what it cannot go on after. Throws `ConfigError`
 * where something that it needs is not configured, before anything is opened.
 */
export async function startApp(
  app: AppName,
  config: Config,
  logger: PinoLogger,
  onFatal: (error: unknown) => void,
  openLog: OpenLog = openConfiguredLog,
): Promise<AppAlone> {
  const required = requirementsOf(app, config);
  const opened = new Opened((fault) => logger.warn(String(fault), 'Stores'));
  try {
    const shared = await openLog(config, opened);
    const memberships = new Memberships();
    const root = await compose(app, { ...shared, ...required, config, opened, memberships, onFatal });
    const { role } = needsOf[app];
    const servers = role === undefined ? [] : [new PartitionServer(role, shared.share, memberships)];
    const running = await runApp(root, servers, config, logger);
    let stopping: Promise<void> | undefined;
    const stop = (): Promise<void> => (stopping ??= running.stop().finally(() => opened.close()));
    if (config.bootstrapKey !== undefined && (app === 'intake' || app === 'facts')) {
      const warn = (message: string): void => logger.warn(message, 'Duewatch');
      await ensureFirstKey(running.app.get(ApiKeys), config, warn).catch(async (error: unknown) => {
        await stop();
        throw error;
      });
    }
    return { url: running.url, stop };
  } catch (error) {
    await opened.close();
    throw error;
  }
}
