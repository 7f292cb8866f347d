// `projections rebuild`: the read model is a fold of the ledger, and is made again from it.
import { rebuildReadModel } from '#read-model';
import { loadConfig } from '#runtime';
import { openStores } from '../embedded/stores.ts';

export async function rebuildProjections(): Promise<void> {
  const stores = await openStores(loadConfig(), (fault) => process.stderr.write(`${String(fault)}\n`));
  try {
    const { recordCount, partitionCount, parkedCount } = await rebuildReadModel(stores.readModel, stores.log);
    process.stdout.write(`folded ${recordCount} records of ${partitionCount} partitions, ${parkedCount} parked\n`);
  } finally {
    await stores.close();
  }
}
