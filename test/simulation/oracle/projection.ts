// The projector's tables against a fresh projection of the same ledger.
import { rebuildReadModel } from '#read-model';
import type { Rig } from '../rig.ts';
import type { SharedLog } from '../shared-log.ts';
import { SimulationFailure } from '../simulation-failure.ts';

/** What the read model lacks of the ledger, in words; undefined where it has it all. */
export async function projectionLag(rig: Rig, log: SharedLog): Promise<string | undefined> {
  const rows = (await rig.readDatabase.look('SELECT partition, ledger_offset FROM duewatch_read.position')) as {
    partition: string;
    ledger_offset: string;
  }[];
  for (let partition = 0; partition < log.memory.partitionCount; partition += 1) {
    const { end } = await log.memory.bounds('ledger', partition);
    const offset = Number(rows.find((row) => Number(row.partition) === partition)?.ledger_offset ?? -1);
    if (offset + 1 < end)
      return `the projection of partition ${partition} stands at ${offset}, and the ledger ends at ${end}`;
  }
  return undefined;
}

/** Throws where a table differs. The projection has the whole ledger. */
export async function checkProjection(rig: Rig, log: SharedLog): Promise<void> {
  await rebuildReadModel(rig.fresh, log.memory);
  for (const table of rig.readTables) {
    const query = `SELECT row::text AS row FROM ${table} AS row ORDER BY 1`;
    const projected = textsOf(await rig.readDatabase.look(query));
    const fresh = textsOf(await rig.fresh.query(query));
    if (projected.join('\n') === fresh.join('\n')) continue;
    const extra = projected.filter((row) => !fresh.includes(row)).slice(0, 3);
    const missing = fresh.filter((row) => !projected.includes(row)).slice(0, 3);
    throw new SimulationFailure(
      `the projection differs from a fresh one in ${table}\n   has: ${extra.join('\n        ')}\n lacks: ${missing.join('\n        ')}`,
    );
  }
}

/** Once all is done, with a dispatcher: no lapse stands in the tables as if something were still to come. */
export async function checkDispatchStates(rig: Rig): Promise<void> {
  const [row] = await rig.readDatabase.look(
    `SELECT tenant, agent_id, expectation_id, occurrence, lapse, dispatch_state FROM duewatch_read.lapse
      WHERE dispatch_state NOT IN ('held', 'submitted', 'concluded', 'voided')`,
  );
  if (row !== undefined) throw new SimulationFailure(`at rest a lapse stands as ${JSON.stringify(row)}`);
}

function textsOf(rows: unknown): string[] {
  return (rows as { row: string }[]).map(({ row }) => row);
}
