// Records that cannot be folded: parked by reference, and the next proceeds.
import type { DataSource } from 'typeorm';
import { type EventLog, MemoryEventLog } from '#event-log';
import { systemClock } from '#runtime';
import { createDatabase, expectationRecorded, factRecorded, LedgerScript, type TestDatabase } from '#testing';
import { foldedOffset, foldLedger } from './fold-ledger.ts';
import { openReadModel, readTables } from './read-model.ts';
import { ExpectationRow } from './tables/expectation.entity.ts';
import { FactRow } from './tables/fact.entity.ts';
import { ParkedRecordRow } from './tables/position.entity.ts';

describe('a ledger with something wrong in it', () => {
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

  const fold = async () => {
    const records = await log.read('ledger', 0, { from: 0, limit: 100 });
    return await foldLedger(readModel, { partition: 0, after: -1, records });
  };

  it.each([
    ['not JSON', new TextEncoder().encode('{')],
    ['not UTF-8', new Uint8Array([0xff])],
    ['empty', new Uint8Array()],
    [
      'without events',
      new TextEncoder().encode('{"v":1,"tenant":"acme","at":"2026-09-01T00:00:00Z","offset":1,"n":0,"last":true}'),
    ],
    ['of another tenant', valueOf('zeta')],
  ])('parks a record that is %s by reference, and folds the next', async (_, value) => {
    await script.decided('acme', expectationRecorded());
    const { offset } = await script.append('acme', { tenant: 'acme', value });
    await script.decided('acme', expectationRecorded({ expectationId: 'e2' }));
    const { parked } = await fold();
    expect(parked).toEqual([expect.objectContaining({ partition: 0, ledgerOffset: offset })]);
    expect(await readModel.getRepository(ExpectationRow).count()).toBe(2);
    expect(await foldedOffset(readModel, 0)).toBe(2);
    expect(await readModel.getRepository(ParkedRecordRow).findBy({ ledgerOffset: offset })).toEqual([
      expect.objectContaining({ head: Buffer.from(value.subarray(0, 1024)) }),
    ]);
  });

  it('parks what the tables refuse, and folds what stands about it', async () => {
    for (const factNumber of [1, 1, 2]) await script.decided('acme', factRecorded({ factNumber }));
    const { parked, ledgerOffset } = await fold();
    expect(parked).toEqual([
      expect.objectContaining({ ledgerOffset: 1, reason: expect.stringContaining('duplicate key') }),
    ]);
    expect(ledgerOffset).toBe(2);
    expect(await readModel.getRepository(FactRow).count()).toBe(2);
  });

  it('notices a gap in an input’s output, and goes on', async () => {
    const whole = script.recordOf('acme', [expectationRecorded()], 0);
    const part = {
      tenant: 'acme',
      value: new TextEncoder().encode(new TextDecoder().decode(whole.value).replace('"last":true', '"last":false')),
    };
    await script.append('acme', part);
    await script.append('acme', script.recordOf('acme', [expectationRecorded({ expectationId: 'e2' })], 1));
    const { parked } = await fold();
    expect(parked).toEqual([expect.objectContaining({ ledgerOffset: 1, reason: 'what comes before it is missing' })]);
    expect(await readModel.getRepository(ExpectationRow).count()).toBe(2);
  });
});

/** A record's value that names the tenant. */
function valueOf(tenant: string): Uint8Array {
  return new LedgerScript(new MemoryEventLog({ partitionCount: 1, clock: systemClock })).recordOf(tenant, [], 1).value;
}
