// `projections rebuild`: the read model is a fold of the ledger, and is made again from it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import type { EventLog } from '#event-log';
import { openReadModel, rebuildReadModel } from '#read-model';
import { type Config, ConfigError, loadConfig } from '#runtime';
import { openStores } from '../embedded/stores.ts';
import { CommandError, ExitCode } from '../exit-code.ts';
import { openConfiguredLog } from '../process/open-log.ts';
import { Opened } from '../process/opened.ts';

interface Sources {
  readonly log: EventLog;
  readonly readModel: DataSource;
  close(): Promise<void>;
}

export async function rebuildProjections(): Promise<void> {
  const config = loadConfig();
  assertThere(config);
  // Broken off, it leaves tables that the next start folds on; ending by `exit` takes the server along.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(ExitCode.notSo));
  const sources = await openSources(config);
  try {
    const { recordCount, partitionCount, parkedCount } = await rebuildReadModel(sources.readModel, sources.log);
    process.stdout.write(`folded ${recordCount} records of ${partitionCount} partitions, ${parkedCount} parked\n`);
  } finally {
    await sources.close();
  }
}

/** A directory that was mistyped must not become a new, empty one. */
function assertThere({ kafka, databaseUrl, dataDirectory }: Config): void {
  if (databaseUrl !== undefined) return;
  if (kafka !== undefined) {
    throw new ConfigError(['DUEWATCH_DATABASE_URL must name the PostgreSQL that the read model has its tables in']);
  }
  if (existsSync(join(dataDirectory, 'postgres', 'PG_VERSION'))) return;
  throw new CommandError(ExitCode.notSo, `there is nothing in the data directory ${dataDirectory} (DUEWATCH_DATA_DIR)`);
}

async function openSources(config: Config): Promise<Sources> {
  const report = (fault: unknown): unknown => process.stderr.write(`${String(fault)}\n`);
  if (config.kafka === undefined || config.databaseUrl === undefined) return openStores(config, report, report);
  const opened = new Opened(report);
  const close = (): Promise<void> => opened.close();
  try {
    const { log } = await openConfiguredLog(config, opened);
    const readModel = await opened.addLater(openReadModel(config.databaseUrl, 10), (open) => open.destroy());
    return { log, readModel, close };
  } catch (error) {
    await close();
    throw error;
  }
}
