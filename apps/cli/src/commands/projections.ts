// `projections rebuild`: the read model is a fold of the ledger, and is made again from it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { rebuildReadModel } from '#read-model';
import { type Config, loadConfig } from '#runtime';
import { openStores } from '../embedded/stores.ts';
import { CommandError, ExitCode } from '../exit-code.ts';

export async function rebuildProjections(): Promise<void> {
  const config = loadConfig();
  assertThere(config);
  const report = (fault: unknown): unknown => process.stderr.write(`${String(fault)}\n`);
  // Broken off, it leaves tables that the next start folds on; ending by `exit` takes the server along.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(ExitCode.notSo));
  const stores = await openStores(config, report, report);
  try {
    const { recordCount, partitionCount, parkedCount } = await rebuildReadModel(stores.readModel, stores.log);
    process.stdout.write(`folded ${recordCount} records of ${partitionCount} partitions, ${parkedCount} parked\n`);
  } finally {
    await stores.close();
  }
}

/** A directory that was mistyped must not become a new, empty one. */
function assertThere({ databaseUrl, dataDirectory }: Config): void {
  if (databaseUrl !== undefined || existsSync(join(dataDirectory, 'postgres', 'PG_VERSION'))) return;
  throw new CommandError(ExitCode.notSo, `there is nothing in the data directory ${dataDirectory} (DUEWATCH_DATA_DIR)`);
}
