// Every vector of the specification, each a tenant of one ledger: decided by the core, folded, and read from the tables.
import type { DataSource } from 'typeorm';
import { MemoryEventLog } from '#event-log';
import { compareCodePoints, decide, State } from '#expectations';
import { systemClock } from '#runtime';
import {
  createDatabase,
  type ExpectedLapse,
  type ExpectedRecord,
  type ExpectedRefusal,
  LedgerScript,
  readVectors,
  type TestDatabase,
  type Vector,
} from '#testing';
import { openReadModel } from './read-model.ts';
import { rebuildReadModel } from './rebuild.ts';
import { ExpectationRow } from './tables/expectation.entity.ts';
import { LapseRow } from './tables/lapse.entity.ts';
import { OpenExpectationRow } from './tables/open-expectation.entity.ts';
import { RefusalRow } from './tables/refusal.entity.ts';

const vectors = readVectors();
const inOrder = { order: { ledgerOffset: 'ASC', eventIndex: 'ASC' } } as const;

describe('the tables, of a vector', () => {
  let database: TestDatabase;
  let readModel: DataSource;

  beforeAll(async () => {
    database = await createDatabase();
    readModel = await openReadModel(database.url);
    const log = new MemoryEventLog({ partitionCount: 2, clock: systemClock });
    const script = new LedgerScript(log);
    for (const vector of vectors) await tell(script, vector);
    expect(await rebuildReadModel(readModel, log)).toMatchObject({ parkedCount: 0 });
  });
  afterAll(async () => {
    await readModel.destroy();
    await database.drop();
  });

  /** All tenants' inputs are at other instants; the ledger does not mind. */
  async function tell(script: LedgerScript, { name, config, inputs }: Vector): Promise<void> {
    const state = new State();
    const first = inputs[0];
    if (config !== undefined && first !== undefined) {
      await script.decided(name, ...decide(state, { type: 'configured', at: first.at, settings: config }));
    }
    for (const input of inputs) {
      const events = decide(state, input);
      if (events.length > 0) await script.decided(name, ...events);
    }
  }

  it.each(vectors.map((vector) => [vector.name, vector] as const))(
    '%s say what was decided',
    async (tenant, vector) => {
      const rows = await readModel.getRepository(ExpectationRow).find({ where: { tenant }, ...inOrder });
      const lapses = await readModel.getRepository(LapseRow).find({ where: { tenant }, ...inOrder });
      const refusals = await readModel
        .getRepository(RefusalRow)
        .find({ where: { tenant, refused: 'expectation' }, ...inOrder });
      const records = rows.map((row) => recordOf(row, lapses)).sort(byName);
      expect(records).toEqual(vector.expected.records);
      expect(lapses.map(lapseOf)).toEqual(vector.expected.lapses);
      expect(refusals.map(refusalOf)).toEqual(vector.expected.refusals);
    },
  );

  it.each(vectors.map(({ name }) => name))('%s list apart exactly what is open', async (tenant) => {
    const rows = await readModel.getRepository(ExpectationRow).find({ where: { tenant, status: 'open' }, ...inOrder });
    const lapses = await readModel.getRepository(LapseRow).find({ where: { tenant } });
    const hasLapsed = (row: ExpectationRow): boolean => lapses.some((lapse) => isOf(lapse, row));
    const open = await readModel.getRepository(OpenExpectationRow).find({ where: { tenant }, ...inOrder });
    expect(open).toEqual(
      rows.map(({ expectationHash, occurrence, dueAt, suspended, ledgerOffset, eventIndex }, index) =>
        Object.assign(new OpenExpectationRow(), {
          ...{ tenant, expectationHash, occurrence, dueAt, suspended, ledgerOffset, eventIndex },
          lapsed: hasLapsed(rows[index]!),
        }),
      ),
    );
  });
});

function isOf(lapse: LapseRow, row: ExpectationRow): boolean {
  return lapse.expectationHash === row.expectationHash && lapse.occurrence === row.occurrence;
}

function recordOf(row: ExpectationRow, lapses: readonly LapseRow[]): ExpectedRecord {
  const { agentId, expectationId, status, projectedDueAt, dueAt, lineage } = row;
  const later = ['satisfiedAt', 'observedAt', 'source', 'late', 'reportedLate', 'withdrawn', 'supersededBy'] as const;
  return {
    ...{ agentId, expectationId, status, projectedDueAt, dueAt, lineage },
    lapses: lapses.filter((lapse) => isOf(lapse, row)).map(({ lapse }) => lapse),
    ...(row.suspended && { suspended: true as const }),
    ...Object.fromEntries(later.flatMap((name) => (row[name] === null ? [] : [[name, row[name]]]))),
  };
}

function lapseOf({ agentId, contextId, taskId, messageId, block }: LapseRow): ExpectedLapse {
  return { agentId, contextId, taskId, messageId, lapse: block };
}

function refusalOf({ agentId, expectationId, code }: RefusalRow): ExpectedRefusal {
  return { agentId: agentId ?? '', expectationId, code };
}

function byName(one: ExpectedRecord, other: ExpectedRecord): number {
  return compareCodePoints(one.agentId, other.agentId) || compareCodePoints(one.expectationId, other.expectationId);
}
