// Makes the read model again from the ledger. It may run beside projectors: they notice, and help.
import type { DataSource } from 'typeorm';
import type { EventLog } from '#event-log';
import { foldLedger } from './fold-ledger.ts';
import { readTables } from './read-model.ts';
import { LedgerReader } from './ledger-reader.ts';

/** What a rebuild has done. */
export interface Rebuilt {
  readonly partitionCount: number;
  readonly recordCount: number;
  readonly parkedCount: number;
}

/** Empties every table and folds all partitions from the beginning to the ledger's end of now. Until it resolves, reads show less. */
export async function rebuildReadModel(readModel: DataSource, log: EventLog): Promise<Rebuilt> {
  const tables = readTables.map((table) => readModel.getMetadata(table).tablePath);
  await readModel.query(`TRUNCATE ${tables.join()}`);
  let recordCount = 0;
  let parkedCount = 0;
  for (let partition = 0; partition < log.partitionCount; partition += 1) {
    const { end } = await log.bounds('ledger', partition);
    const reader = new LedgerReader(log, partition);
    let after = -1;
    while (after + 1 < end) {
      const run = await reader.next(after);
      if (run.records.length === 0) break;
      recordCount += run.records.length;
      const { ledgerOffset, parked } = await foldLedger(readModel, run);
      parkedCount += parked.length;
      after = ledgerOffset;
    }
  }
  return { partitionCount: log.partitionCount, recordCount, parkedCount };
}
