import type { DataSource } from 'typeorm';
import { type EventLog, MemoryEventLog } from '#event-log';
import type { Event } from '#expectations';
import { systemClock } from '#runtime';
import {
  createDatabase,
  dispatchAcknowledged,
  dispatchAttempted,
  expectationLapsed,
  expectationReanchored,
  expectationRecorded,
  expectationRefused,
  expectationSatisfied,
  expectationSuspended,
  expectationWithdrawn,
  factRecorded,
  LedgerScript,
  statusApplied,
  t,
  type TestDatabase,
} from '#testing';
import { foldedOffset, foldLedger } from './fold-ledger.ts';
import { openReadModel, readTables } from './read-model.ts';
import { rebuildReadModel } from './rebuild.ts';
import { ExpectationRow } from './tables/expectation.entity.ts';
import { FactRow } from './tables/fact.entity.ts';
import { LapseRow } from './tables/lapse.entity.ts';
import { PositionRow } from './tables/position.entity.ts';

const odd = 'a\0b\\c\ud800d/é%"\'';

/** One tenant's story, a record a line: every kind of event, ids used again, odd strings. */
const story: Event[][] = [
  [{ type: 'agentDeclared', at: t(0), agentId: 'booking', params: { keepsTime: false, odd } }],
  [
    expectationRecorded(),
    expectationRecorded({
      expectationId: 'e2',
      content: { anchor: { expectationId: 'e1', offset: 'PT5M' }, after: ['e1'] },
    }),
  ],
  [statusApplied({ statusAt: t(2) }), expectationRefused({ expectationId: odd })],
  [
    expectationRecorded({
      expectationId: odd,
      agentId: odd,
      taskId: odd,
      content: { subject: { type: odd, id: odd }, expects: odd, extra: odd },
    }),
  ],
  [expectationLapsed({ at: t(61) }), expectationSuspended({ at: t(61), expectationId: 'e2' })],
  [dispatchAttempted()],
  [dispatchAcknowledged({ taskId: 'lapse-task' })],
  [
    factRecorded({ at: t(70) }),
    expectationSatisfied({ at: t(70), late: true, factNumber: 1 }),
    expectationReanchored({ at: t(70), expectationId: 'e2', dueAt: t(370) }),
  ],
  [statusApplied({ at: t(80), taskId: 'lapse-task', state: 'TASK_STATE_COMPLETED' })],
  [
    factRecorded({
      at: t(90),
      factNumber: 2,
      reporter: odd,
      subjects: [{ type: odd, id: odd }],
      fact: { factKey: odd },
    }),
    expectationSatisfied({ at: t(90), agentId: odd, expectationId: odd, source: odd, factNumber: 2 }),
  ],
  [factRecorded({ at: t(100), factNumber: 3, fact: { factKey: 'early' } })],
  [
    expectationRecorded({ at: t(101), expectationId: 'e3' }),
    expectationSatisfied({ at: t(101), expectationId: 'e3', how: 'early', factNumber: 3 }),
  ],
  [
    expectationRecorded({ at: t(102), expectationId: 'e4' }),
    expectationSatisfied({ at: t(102), expectationId: 'e4', how: 'early', factNumber: 3 }),
  ],
  [expectationRecorded({ at: t(999) }), expectationLapsed({ at: t(999), block: { lapse: 'skipped' } })],
  [expectationWithdrawn({ at: t(1000), withdrawn: 'superseded', supersededBy: 'e9', reason: odd })],
  [{ type: 'configured', at: t(1001), settings: { lineageBound: 1 } }],
  [{ type: 'configured', at: t(1002), settings: { factMemoryMax: 5 } }],
];

describe('the ledger, folded into tables', () => {
  let database: TestDatabase;
  let readModel: DataSource;
  let log: EventLog;
  let script: LedgerScript;

  beforeAll(async () => {
    database = await createDatabase();
    readModel = await openReadModel(database.url);
  });
  afterAll(async () => {
    await readModel.destroy();
    await database.drop();
  });
  beforeEach(async () => {
    log = new MemoryEventLog({ partitionCount: 1, clock: systemClock });
    script = new LedgerScript(log);
    await readModel.query(`TRUNCATE ${readTables.map((table) => readModel.getMetadata(table).tablePath).join()}`);
  });

  const records = (from = 0) => log.read('ledger', 0, { from, limit: 1000 });
  const fold = async (after = -1) => foldLedger(readModel, { partition: 0, after, records: await records(after + 1) });
  const tell = async (tenant: string, lines: Event[][]) => {
    for (const events of lines) await script.decided(tenant, ...events);
  };
  const rows = async () =>
    Object.fromEntries(
      await Promise.all(
        readTables.map(async (table) => {
          const found: unknown[] = await readModel.getRepository(table).find();
          return [table.name, found.map((row) => JSON.stringify(row)).sort()];
        }),
      ),
    );

  it('gives the same rows in whatever batches it is told, and when it is rebuilt', async () => {
    await tell('acme', story);
    await fold();
    const whole = await rows();
    for (const size of [1, 2, 3, 7]) {
      await readModel.query(`TRUNCATE ${readTables.map((table) => readModel.getMetadata(table).tablePath).join()}`);
      const all = await records();
      for (let start = 0; start < all.length; start += size) {
        await foldLedger(readModel, { partition: 0, after: start - 1, records: all.slice(start, start + size) });
      }
      expect(await rows()).toEqual(whole);
    }
    expect(await rebuildReadModel(readModel, log)).toEqual({
      partitionCount: 1,
      recordCount: story.length,
      parkedCount: 0,
    });
    expect(await rows()).toEqual(whole);
  });

  it('gives strings back as they were, NUL and lone surrogates included', async () => {
    await tell('acme', story);
    await fold();
    const row = await readModel.getRepository(ExpectationRow).findOneByOrFail({ agentId: odd, expectationId: odd });
    expect(row).toMatchObject({
      subjectType: odd,
      subjectId: odd,
      expects: odd,
      taskId: odd,
      source: odd,
      status: 'satisfied',
      raised: { extra: odd },
    });
    const fact = await readModel.getRepository(FactRow).findOneByOrFail({ reporter: odd });
    expect(fact).toMatchObject({
      factKey: odd,
      subjects: [{ type: odd, id: odd }],
      satisfied: [{ agentId: odd, expectationId: odd }],
    });
  });

  it('keeps instants to the millisecond, up to the year 9999', async () => {
    const dueAt = '9999-12-31T23:59:59.999Z';
    await script.decided('acme', expectationRecorded({ at: '2026-09-01T00:00:00.07Z', dueAt }));
    await fold();
    const row = await readModel.getRepository(ExpectationRow).findOneByOrFail({});
    expect(row).toMatchObject({ recordedAt: '2026-09-01T00:00:00.07Z', dueAt, projectedDueAt: dueAt });
  });

  it('counts the uses of an id that was forgotten, and lapses of each', async () => {
    await tell('acme', story);
    await fold();
    const used = await readModel
      .getRepository(ExpectationRow)
      .find({ where: { expectationId: 'e1' }, order: { occurrence: 'ASC' } });
    expect(used.map(({ occurrence, status }) => [occurrence, status])).toEqual([
      [1, 'satisfied'],
      [2, 'withdrawn'],
    ]);
    const lapses = await readModel.getRepository(LapseRow).find({ order: { occurrence: 'ASC' } });
    expect(lapses.map(({ occurrence, lapse }) => [occurrence, lapse])).toEqual([
      [1, 'overdue'],
      [2, 'skipped'],
    ]);
  });

  it.each([
    [
      'before',
      [
        statusApplied({ taskId: 'lapse-task', state: 'TASK_STATE_FAILED' }),
        dispatchAcknowledged({ taskId: 'lapse-task' }),
      ],
    ],
    [
      'after',
      [
        dispatchAcknowledged({ taskId: 'lapse-task' }),
        statusApplied({ taskId: 'lapse-task', state: 'TASK_STATE_FAILED' }),
      ],
    ],
  ])('concludes a lapse whose task ended %s it was acknowledged', async (_, events) => {
    await tell('acme', [[expectationRecorded(), expectationLapsed()], ...events.map((event) => [event])]);
    await fold();
    expect(await readModel.getRepository(LapseRow).findOneByOrFail({})).toMatchObject({
      dispatchState: 'concluded',
      dispatchTaskId: 'lapse-task',
    });
  });

  it('keeps tenants apart that use the same ids', async () => {
    await tell('acme', [[expectationRecorded()], [factRecorded(), expectationSatisfied({ factNumber: 1 })]]);
    await tell('zeta', [[expectationRecorded({ content: { expects: 'theirs' } })], [expectationLapsed()]]);
    await fold();
    const found = await readModel.getRepository(ExpectationRow).find({ order: { tenant: 'ASC' } });
    expect(found.map(({ tenant, status, expects }) => [tenant, status, expects])).toEqual([
      ['acme', 'satisfied', 'S1 departs'],
      ['zeta', 'open', 'theirs'],
    ]);
    expect(await readModel.getRepository(LapseRow).findBy({ tenant: 'acme' })).toEqual([]);
  });

  it('changes nothing the second time', async () => {
    await tell('acme', story);
    await fold();
    const once = await rows();
    expect(await fold()).toEqual({ ledgerOffset: story.length - 1, parked: [] });
    expect(await rows()).toEqual(once);
  });

  it('folds nothing where the tables stand before what it was read after', async () => {
    await tell('acme', story);
    expect(await fold(3)).toEqual({ ledgerOffset: -1, parked: [] });
    expect(await readModel.getRepository(ExpectationRow).count()).toBe(0);
  });

  it('lets two projectors fold one partition, each record once', async () => {
    await tell('acme', story);
    const folded = await Promise.all([fold(), fold(), fold()]);
    expect(folded.map(({ ledgerOffset }) => ledgerOffset)).toEqual([16, 16, 16]);
    const both = await rows();
    await rebuildReadModel(readModel, log);
    expect(await rows()).toEqual(both);
  });

  it('keeps the inbox position and the log’s last instant with the rows', async () => {
    await script.decided('acme', expectationRecorded({ at: t(5) }));
    await fold();
    expect(await readModel.getRepository(PositionRow).find()).toEqual([
      { partition: 0, ledgerOffset: 0, inboxOffset: 0, eventCount: 1, complete: true, logInstant: t(5) },
    ]);
  });

  it('writes neither rows nor position where the database fails midway', async () => {
    await tell('acme', story);
    await readModel.query('ALTER TABLE duewatch_read.refusal RENAME TO elsewhere');
    await expect(fold()).rejects.toThrow('does not exist');
    await readModel.query('ALTER TABLE duewatch_read.elsewhere RENAME TO refusal');
    expect(await foldedOffset(readModel, 0)).toBe(-1);
    expect(await readModel.getRepository(ExpectationRow).count()).toBe(0);
    await fold();
    expect(await foldedOffset(readModel, 0)).toBe(story.length - 1);
  });
});
