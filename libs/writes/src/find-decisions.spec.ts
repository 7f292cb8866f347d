import {
  encodeLedger,
  type LedgerEntry,
  type LedgerEvent,
  type LedgerWriter,
  MemoryEventLog,
  type NewRecord,
} from '#event-log';
import { systemClock } from '#runtime';
import { findDecisions } from './find-decisions.ts';

const acme = { partition: 0, tenant: 'acme' };

describe('decisions of long ago', () => {
  const log = new MemoryEventLog({ partitionCount: 1, clock: systemClock });

  beforeAll(async () => {
    const writer = await log.openWriter(0);
    const entry = (offset: number, n: number, last: boolean) => ({
      tenant: 'acme',
      value: encodeLedger({
        ...{ v: 1, tenant: 'acme', at: '', offset, n, last },
        events: [{ type: 'inputIgnored', at: '', why: `${offset}.${n}` }],
      }),
    });
    const started = { v: 1 as const, type: 'writerStarted' as const, deployment: 'd', epoch: 1 };
    for (let offset = 0; offset < 3_000; offset += 1) {
      if (offset % 100 === 0) await writer.append([{ tenant: null, value: encodeLedger(started) }]);
      await writer.append([entry(offset, 0, false), entry(offset, 1, true)]);
    }
    await writer.append([entry(3_000, 0, false)]);
  });

  afterAll(() => log.close());

  const find = async (offsets: readonly number[], ledgerFrom = 0) => {
    const { write } = await findDecisions(log, { ...acme, offsets, ledgerFrom, searchedTo: 0 });
    const whys = offsets.map((offset) => write.events.get(offset)?.map((event) => 'why' in event && event.why));
    return { isComplete: write.isComplete, whys };
  };

  it.each([0, 1, 99, 100, 101, 1_500, 2_999])('are found whole for the input at %d', async (offset) => {
    expect(await find([offset])).toEqual({ isComplete: true, whys: [[`${offset}.0`, `${offset}.1`]] });
  });

  it('are found for all records of a write', async () => {
    expect((await find([700, 701, 1_200])).whys.flat()).toEqual([
      '700.0',
      '700.1',
      '701.0',
      '701.1',
      '1200.0',
      '1200.1',
    ]);
  });

  it('are not complete while an input is half decided, or not at all', async () => {
    expect(await find([3_000])).toEqual({ isComplete: false, whys: [['3000.0']] });
    expect(await find([9_000], 6_000)).toEqual({ isComplete: false, whys: [[]] });
  });
});

describe('decisions of what waited for a release', () => {
  const log = new MemoryEventLog({ partitionCount: 1, clock: systemClock });
  const place = { ...acme, offsets: [5, 6], ledgerFrom: 0 };
  let writer: LedgerWriter;

  const entry = (offset: number, tenant: string, event: LedgerEvent, of?: LedgerEntry['of']): NewRecord => ({
    tenant,
    value: encodeLedger({
      ...{ v: 1, tenant, at: '', offset, n: 0, last: true },
      ...(of !== undefined && { of }),
      events: [event],
    }),
  });
  const ignored = (why: string): LedgerEvent => ({ type: 'inputIgnored', at: '', why });

  beforeAll(async () => {
    writer = await log.openWriter(0);
    await writer.append([entry(4, 'acme', ignored('before'))]);
    await writer.append([entry(5, 'acme', { type: 'tenantHeld', at: '', cause: 'planted' })]);
    for (let offset = 7; offset < 1_000; offset += 1) await writer.append([entry(offset, 'other', ignored(''))]);
  });
  afterAll(() => log.close());

  it('are not there while it waits, and are searched for only in what is new', async () => {
    const found = await findDecisions(log, { ...place, searchedTo: 0 });
    expect(found.write.isComplete).toBe(false);
    const { end } = await log.bounds('ledger', 0);
    expect(found.searchedTo).toBe(end);
  });

  it('are found at the release, also where it was half written at the last search', async () => {
    const { end: searchedTo } = await log.bounds('ledger', 0);
    await writer.append([entry(1_000, 'acme', ignored('first'), { offset: 5, last: true })]);
    const half = await findDecisions(log, { ...place, searchedTo });
    expect(half.write.isComplete).toBe(false);
    await writer.append([entry(1_000, 'acme', ignored('second'), { offset: 6, last: true })]);
    const { write } = await findDecisions(log, { ...place, searchedTo: half.searchedTo });
    expect(write.isComplete).toBe(true);
    expect([5, 6].map((offset) => write.events.get(offset))).toMatchObject([[{ why: 'first' }], [{ why: 'second' }]]);
  });
});
