// What the embedded watcher stands on: a PostgreSQL, with the log and every table in it.
import type { DataSource } from 'typeorm';
import { MeasuredEventLog } from '#event-log';
import { openPostgresEventLog, type PostgresEventLogOptions, PostgresSnapshotStore } from '#event-log-postgres';
import { loopbackRanges, type Outbound } from '#outbound';
import { openReadModel } from '#read-model';
import {
  type Config,
  CredentialSeal,
  openCredentialSeal,
  openEdgeDatabase,
  prepareDataDirectory,
  startEmbeddedPostgres,
  systemClock,
} from '#runtime';
import { openDispatchDatabase } from '../../../dispatcher/src/dispatcher.module.ts';
import { Opened } from '../process/opened.ts';
import { openOutbound } from '../process/open-outbound.ts';

export interface Stores {
  readonly databaseUrl: string;
  readonly log: MeasuredEventLog;
  readonly snapshots: PostgresSnapshotStore;
  readonly edge: DataSource;
  readonly dispatch: DataSource;
  readonly readModel: DataSource;
  readonly questions: DataSource;
  readonly seal: CredentialSeal;
  readonly outbound: Outbound;
  /** Closes all, the database's server last; what cannot be closed is reported and holds up nothing. */
  close(): Promise<void>;
}

/**
 * Opens everything, or nothing. `report` is told of faults that nobody's call can be told of, `onLost` that our own
 * PostgreSQL has ended for good.
 */
export async function openStores(
  config: Config,
  report: (fault: unknown) => void,
  onLost: (error: unknown) => void,
): Promise<Stores> {
  const opened = new Opened(report);
  const close = (): Promise<void> => opened.close();
  const destroy = (database: DataSource): Promise<void> => database.destroy();
  const startServer = async (): Promise<string> => {
    const server = await startEmbeddedPostgres({ dataDir: config.dataDirectory, report: opened.report, onLost });
    return opened.add(server, (postgres) => postgres.stop()).url();
  };
  try {
    await prepareDataDirectory(config.dataDirectory);
    const databaseUrl = config.databaseUrl ?? (await startServer());
    const { partitionCount } = config;
    const options = { databaseUrl, partitionCount, clock: systemClock, report: opened.report };
    // A start waits for each of them: all at once. What is open when another fails is closed.
    const opening = [
      opened.addLater(openLog(options), (log) => log.close()),
      opened.addLater(openEdgeDatabase(databaseUrl), destroy),
      opened.addLater(openDispatchDatabase(databaseUrl), destroy),
      opened.addLater(openReadModel(databaseUrl, 10), destroy),
      opened.addLater(openReadModel(databaseUrl, 10), destroy),
    ] as const;
    await Promise.allSettled(opening);
    const [log, edge, dispatch, readModel, questions] = await Promise.all(opening);
    return {
      ...{ databaseUrl, log, edge, dispatch, readModel, questions, close },
      snapshots: opened.add(new PostgresSnapshotStore(databaseUrl, opened.report), (store) => store.close()),
      outbound: opened.add(openOutbound(config, loopbackRanges), (outbound) => outbound.close()),
      seal: config.sealKey ? new CredentialSeal(config.sealKey) : await openCredentialSeal(config.dataDirectory),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openLog(options: PostgresEventLogOptions): Promise<MeasuredEventLog> {
  return new MeasuredEventLog(await openPostgresEventLog(options), options.clock);
}
