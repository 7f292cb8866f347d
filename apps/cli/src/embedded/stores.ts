// What the embedded watcher stands on: a PostgreSQL, with the log and every table in it.
import type { DataSource } from 'typeorm';
import type { EventLog } from '#event-log';
import { openPostgresEventLog, PostgresSnapshotStore } from '#event-log-postgres';
import { openReadModel } from '#read-model';
import {
  type Config,
  type CredentialSeal,
  openCredentialSeal,
  openEdgeDatabase,
  startEmbeddedPostgres,
  systemClock,
} from '#runtime';
import { openDispatchDatabase } from '../../../dispatcher/src/dispatcher.module.ts';

export interface Stores {
  readonly databaseUrl: string;
  readonly log: EventLog;
  readonly snapshots: PostgresSnapshotStore;
  readonly edge: DataSource;
  readonly dispatch: DataSource;
  readonly readModel: DataSource;
  readonly seal: CredentialSeal;
  /** Closes all, the database's server last. */
  close(): Promise<void>;
}

/** Opens everything, or nothing. `report` is told of faults that nobody's call can be told of. */
export async function openStores(config: Config, report: (fault: unknown) => void): Promise<Stores> {
  const closers: (() => Promise<unknown>)[] = [];
  const opened = <T>(store: T, close: (store: T) => Promise<unknown>): T => {
    closers.unshift(() => close(store));
    return store;
  };
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0)) await closer();
  };
  const destroy = (database: DataSource): Promise<void> => database.destroy();
  try {
    const databaseUrl = config.databaseUrl ?? (await startServer(config, opened));
    const { partitionCount } = config;
    const options = { databaseUrl, partitionCount, clock: systemClock, report };
    return {
      databaseUrl,
      log: opened(await openPostgresEventLog(options), (log) => log.close()),
      snapshots: opened(new PostgresSnapshotStore(databaseUrl, report), (store) => store.close()),
      edge: opened(await openEdgeDatabase(databaseUrl), destroy),
      dispatch: opened(await openDispatchDatabase(databaseUrl), destroy),
      readModel: opened(await openReadModel(databaseUrl), destroy),
      seal: await openCredentialSeal(config.dataDirectory),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startServer(
  config: Config,
  opened: <T>(store: T, close: (store: T) => Promise<unknown>) => T,
): Promise<string> {
  const server = await startEmbeddedPostgres({ dataDir: config.dataDirectory });
  return opened(server, (postgres) => postgres.stop()).url();
}
